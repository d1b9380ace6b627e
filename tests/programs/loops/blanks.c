/* clew test --string s:32 --nonnull s
 * branches: 4 of 4
 *
 * A pointer that walks over blanks. */
int blanks(const char *s)
{
    const char *p = s;
    while (*p == ' ') p++;
    if (p - s == 21) return 1;
    return 0;
}
