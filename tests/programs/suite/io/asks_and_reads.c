/* clew test --stdin 2
 * branches: 8 of 8
 *
 * Asks for a number in each round, and tries to read in vain once the input has ended.  Its state comes again then, but another number may still lead on. */
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int rounds = 0, last = 0;
    while (last != 7) {
        int c = getchar();
        last = __VERIFIER_nondet_int();
        if (c != EOF) continue;
        if (last == 1000 && rounds < 3) rounds++;
    }
    return 0;
}
