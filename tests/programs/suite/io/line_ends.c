/* clew test --stdin 5
 * branches: 18 of 18
 * complete: yes
 * tests: at most 10
 *
 * Which line ends does a text have?  A state machine over its characters. */
#include <stdio.h>

int main(void)
{
    int c, after_return = 0, unix_ends = 0, dos_ends = 0, bare = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\n') {
            if (after_return) dos_ends++;
            else unix_ends++;
            after_return = 0;
        } else {
            if (after_return) bare++;
            after_return = c == '\r';
        }
    }
    if (after_return || bare) return 3;
    if (unix_ends && dos_ends) return 2;
    if (dos_ends) return 1;
    return 0;
}
