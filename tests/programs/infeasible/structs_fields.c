/* clew test
 * branches: 9 of 14
 * infeasible: 23 true
 * infeasible: 27 true
 * infeasible: 28 true
 * infeasible: 29 true
 * infeasible: 32 true
 *
 * Fields of a struct that is copied and cleared. */
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct job {
    int kind, left;
    unsigned char priority;
};
static struct job now;

int main(void)
{
    struct job next = {1, 10, 3};
    memset(&now, 0, sizeof now);
    if (now.left != 0) return 1;
    if (__VERIFIER_nondet_int()) next.kind = 2;
    now.kind = next.kind;
    now.priority = next.priority;
    if (now.kind < 1) return 2;
    if (now.kind > 2) return 3;
    if (now.priority != 3) return 4;
    while (next.left > 0) {
        next.left--;
        if (next.left > 9) return 5;
    }
    return now.left;
}
