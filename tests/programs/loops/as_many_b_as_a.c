/* clew test --string s:40 --nonnull s
 * branches: 10 of 10
 *
 * A string with as many b as a, and at least nine of each. */
int as_many_b_as_a(const char *s)
{
    int a = 0, b = 0;
    for (int i = 0; s[i]; i++) {
        if (s[i] == 'a') a++;
        if (s[i] == 'b') b++;
    }
    if (a == b && a >= 9) return 1;
    return 0;
}
