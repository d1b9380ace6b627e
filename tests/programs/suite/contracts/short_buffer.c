/* clew test --nonnull text --nonnull to
 * branches: 10 of 10
 * bug: out-of-bounds 11
 * precondition: copy: size >= 0
 *
 * A buffer of no bytes is for the function to mind (line 11), also if a negative length was first to show that it does not.  Only a negative length makes
 * the last byte fail. */
int copy(const char *text, char *to, int size)
{
    char *end = to + size;
    if (text[0] == '-') *to++ = *text++;
    while (*text && to < end) *to++ = *text++;
    if (*text || to == end) return -1;
    *to = 0;
    return 0;
}
