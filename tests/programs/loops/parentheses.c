/* clew test --string s:40 --nonnull s
 * branches: 14 of 14
 *
 * Parentheses that go ten deep and are closed again. */
int parentheses(const char *s)
{
    int depth = 0, deepest = 0;
    for (; *s; s++) {
        if (*s == '(') depth++;
        else if (*s == ')') depth--;
        if (depth < 0) return -1;
        if (depth > deepest) deepest = depth;
    }
    if (depth == 0 && deepest == 10) return 1;
    return 0;
}
