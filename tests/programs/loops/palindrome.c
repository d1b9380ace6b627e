/* clew test --string s:24 --nonnull s
 * branches: 10 of 10
 *
 * A palindrome of eleven bytes, which two indices go along from both ends. */
int palindrome(const char *s)
{
    int end = 0;
    while (s[end]) end++;
    if (end != 11) return 2;
    int i = 0, j = end - 1;
    while (i < j) {
        if (s[i] != s[j]) return 3;
        i++;
        j--;
    }
    if (s[5] == 'x') return 1;
    return 0;
}
