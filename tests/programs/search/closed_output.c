/* clew explore --no-summaries
 * branches: 10 of 10
 * complete: yes
 * bug: assertion 17
 *
 * A program that closes its standard output twice closes nothing of Clew's. */
#include <assert.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    for (int i = 0; i < 3; i++) {
        int x = __VERIFIER_nondet_int();
        if (x == 3) close(1);
        if (i == 2 && write(1, "a", 1) < 0) assert(x != 7);
    }
    return 0;
}
