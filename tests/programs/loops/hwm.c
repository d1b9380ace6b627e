/* clew test --string s:40 --nonnull s
 * branches: 32 of 32
 *
 * The benchmark hwm of the paper: a string is scanned for the words Hello, World, At, Microsoft!, in
 * this order. */
int hwm(const char *s)
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
    static const char word_2[] = "At";
    int at_2 = 0;
    for (; s[i] && word_2[at_2]; i++) {
        if (s[i] == word_2[at_2]) at_2++;
        else at_2 = s[i] == word_2[0];
    }
    if (word_2[at_2]) return 2;
    static const char word_3[] = "Microsoft!";
    int at_3 = 0;
    for (; s[i] && word_3[at_3]; i++) {
        if (s[i] == word_3[at_3]) at_3++;
        else at_3 = s[i] == word_3[0];
    }
    if (word_3[at_3]) return 3;
    return 4;
}
