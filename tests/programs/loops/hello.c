/* clew test --string s:16 --nonnull s
 * branches: 8 of 8
 *
 * The benchmark hello of the paper: a string is scanned for the words Hello, in this order. */
int hello(const char *s)
{
    int i = 0;
    static const char word_0[] = "Hello";
    int at_0 = 0;
    for (; s[i] && word_0[at_0]; i++) {
        if (s[i] == word_0[at_0]) at_0++;
        else at_0 = s[i] == word_0[0];
    }
    if (word_0[at_0]) return 0;
    return 1;
}
