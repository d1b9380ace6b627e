/* clew test
 * branches: 9 of 14
 * infeasible: 21 true
 * infeasible: 22 true
 * infeasible: 24 true
 * infeasible: 25 true
 * infeasible: 26 true
 *
 * Flags that are set and cleared by masks. */
extern unsigned __VERIFIER_nondet_uint(void);

enum { READY = 1, BUSY = 2, ERROR = 4 };
static unsigned flags;

int main(void)
{
    unsigned value = __VERIFIER_nondet_uint() & 48;
    for (int i = 0; i < 3; i++) {
        if (__VERIFIER_nondet_uint() & 1) flags |= READY;
        else flags &= ~(unsigned)READY;
        if (flags & ERROR) return 1;
        if (flags > 1) return 2;
    }
    if (value & 15) return 3;
    if (value == 17) return 4;
    if ((value | 64) < 64) return 5;
    return 0;
}
