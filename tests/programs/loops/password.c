/* clew test --string s:24 --nonnull s
 * branches: 26 of 26
 *
 * Checks on the length of a password and on what it consists of. */
int password(const char *s)
{
    int length = 0, digits = 0, capitals = 0, others = 0;
    for (; s[length]; length++) {
        char c = s[length];
        if (c == ' ') return -1;
        if (c >= '0' && c <= '9') digits++;
        else if (c >= 'A' && c <= 'Z') capitals++;
        else if (c < 'a' || c > 'z') others++;
    }
    if (length < 12) return 1;
    if (length > 18) return 2;
    if (digits < 3) return 3;
    if (capitals < 3) return 4;
    if (others < 2) return 5;
    return 0;
}
