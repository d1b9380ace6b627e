/* clew explore --summaries
 * branches: 4 of 4
 * paths: 3
 * complete: yes
 *
 * A function of the library that is called in two places has one summary: the second call has paths that the first one did not need. */
#include <clew.h>
#include <string.h>
int main(void)
{
    char a[3], b[6];
    clew_make_symbolic(a, sizeof a, "a");
    clew_make_symbolic(b, sizeof b, "b");
    a[2] = b[5] = 0;
    unsigned long one = strlen(a);
    unsigned long two = strlen(b);
    if (one == 1) return 1;
    if (two == 4) return 2;
    return 0;
}
