/* clew explore --summaries --work 35
 * branches: 10 of 10
 * complete: yes
 *
 * At each byte the scanner goes on in two ways, which make no difference: 1,534 paths, with eleven results.  Where each of the paths is a part of the
 * result, three times as much work is needed. */
#include <clew.h>
enum { BYTES = 9 };

static int length(const char *s)
{
    int i = 0;
    for (; s[i]; i++)
        if (s[i] < 'a' && s[i] != ' ') return -1;
    return i;
}

int main(void)
{
    char s[BYTES + 1];
    clew_make_symbolic(s, BYTES, "s");
    s[BYTES] = 0;
    int n = length(s), found = 0;
    if (n < 0) return -1;
    for (int i = 0; i < n; i++) found += s[i] == 'x';
    return found > 3;
}
