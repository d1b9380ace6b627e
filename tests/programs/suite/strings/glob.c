/* clew test --string pattern:3 --string text:3
 * branches: 20 of 20
 * tests: at most 10
 *
 * Patterns with * and ?, by recursion. */
static int here(const char *pattern, const char *text)
{
    if (!*pattern) {
        if (*text) return 0;
        return 1;
    }
    if (*pattern == '*') {
        for (;; text++) {
            if (here(pattern + 1, text)) return 1;
            if (!*text) return 0;
        }
    }
    if (!*text) return 0;
    if (*pattern != '?' && *pattern != *text) return 0;
    return here(pattern + 1, text + 1);
}

int match(const char *pattern, const char *text)
{
    if (!pattern || !text) return -1;
    return here(pattern, text);
}
