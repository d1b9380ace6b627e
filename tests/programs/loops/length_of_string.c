/* clew test --string s:40 --nonnull s
 * branches: 4 of 4
 *
 * A string of a given length. */
int length_of_string(const char *s)
{
    unsigned length = 0;
    while (s[length]) length++;
    if (length == 33) return 1;
    return 0;
}
