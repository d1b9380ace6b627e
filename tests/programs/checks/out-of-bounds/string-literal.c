/* clew run
 * bug: out-of-bounds 9
 */
int main(int argc, char **argv)
{
    const char *s = "abc";
    int n = 0;
    for (int i = 0; i < 4 + argc; i++)
        n += s[i];
    return n == 0;
}
