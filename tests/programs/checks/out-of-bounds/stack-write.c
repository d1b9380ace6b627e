/* clew run
 * bug: out-of-bounds 8
 */
int main(int argc, char **argv)
{
    int a[10];
    for (int i = 0; i < 10; i++) a[i] = i;
    a[argc + 9] = 1;
    return a[3] == 3 ? 0 : 1;
}
