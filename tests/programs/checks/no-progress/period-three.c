/* clew run
 * bug: no-progress 8
 */
int main(void)
{
    unsigned i = 0;
    int a[3] = {1, 2, 3};
    while (a[i % 3] < 4) i = (i + 1) % 3;
    return 0;
}
