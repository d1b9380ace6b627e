/* clew test --string s:30 --nonnull s
 * branches: 10 of 10
 *
 * The longest run of equal bytes in a string has twelve. */
int longest_run(const char *s)
{
    int longest = 0, run = 0;
    for (int i = 0; s[i]; i++) {
        if (i > 0 && s[i] == s[i - 1]) run++;
        else run = 1;
        if (run > longest) longest = run;
    }
    if (longest == 12) return 1;
    return 0;
}
