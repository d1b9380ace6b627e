/* clew test --string s:24 --nonnull s
 * branches: 16 of 16
 *
 * The benchmark hw of the paper: a string is scanned for the words Hello, World, in this order. */
int hw(const char *s)
{
    int i = 0;
    static const char word_0[] = "Hello";
    int at_0 = 0;
    for (; s[i] && word_0[at_0]; i++) {
        if (s[i] == word_0[at_0]) at_0++;
        else at_0 = s[i] == word_0[0];
    }
    if (word_0[at_0]) return 0;
    static const char word_1[] = "World";
    int at_1 = 0;
    for (; s[i] && word_1[at_1]; i++) {
        if (s[i] == word_1[at_1]) at_1++;
        else at_1 = s[i] == word_1[0];
    }
    if (word_1[at_1]) return 1;
    return 2;
}
