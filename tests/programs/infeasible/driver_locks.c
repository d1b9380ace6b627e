/* clew test
 * branches: 46 of 64
 * infeasible: 30 true
 * infeasible: 38 true
 * infeasible: 60 true
 * infeasible: 63 true
 * infeasible: 68 true
 * infeasible: 72 true
 * infeasible: 76 true
 * infeasible: 78 true
 * infeasible: 82 true
 * infeasible: 86 false
 * infeasible: 87 true
 * infeasible: 91 true
 * infeasible: 93 true
 * infeasible: 94 true
 * infeasible: 94 true
 * infeasible: 94 true
 * infeasible: 94 true
 * infeasible: 95 true
 *
 * Locks in the manner of SV-COMP's test_locks: in every round the inputs p1 to p8 tell which locks are taken, and the same inputs tell
 * which are given back, so none is found free where it is given back; a nested lock is only held together with its outer one. */
extern int __VERIFIER_nondet_int(void);

static int taken;

static int take(int *lock)
{
    if (*lock) return -1;
    *lock = 1;
    taken++;
    return 0;
}

static int give(int *lock)
{
    if (*lock != 1) return -1;
    *lock = 0;
    taken--;
    return 0;
}

int main(void)
{
    int nested = 0;
    while (1) {
        int p1 = __VERIFIER_nondet_int(), lk1 = 0;
        int p2 = __VERIFIER_nondet_int(), lk2 = 0;
        int p3 = __VERIFIER_nondet_int(), lk3 = 0;
        int p4 = __VERIFIER_nondet_int(), lk4 = 0;
        int p5 = __VERIFIER_nondet_int(), lk5 = 0;
        int p6 = __VERIFIER_nondet_int(), lk6 = 0;
        if (__VERIFIER_nondet_int() == 0) break;
        if (p1 != 0) lk1 = 1;
        if (p2 != 0) lk2 = 1;
        if (p3 != 0) lk3 = 1;
        if (p4 != 0) lk4 = 1;
        if (p5 != 0) {
            if (take(&lk5) != 0) goto error;
        }
        if (p6 > 0 && lk5) {
            if (take(&lk6) != 0) goto error;
            nested = 1;
        }

        if (p1 != 0) {
            if (lk1 != 1) goto error;
            lk1 = 0;
        }
        if (p2 != 0) {
            if (lk2 != 1) goto error;
            lk2 = 0;
        }
        if (p3 != 0) {
            if (lk3 != 1) goto error;
            lk3 = 0;
        } else if (lk3) {
            goto error;
        }
        if (p4 != 0) {
            if (lk4 != 1) goto error;
            lk4 = 0;
        }
        if (nested) {
            if (!lk5) goto error;
            if (give(&lk6) != 0) goto error;
            nested = 0;
        }
        if (p5 != 0) {
            if (give(&lk5) != 0) goto error;
        }
        if (taken != 0) goto error;
        if (lk1 || lk2 || lk3 || lk4) goto error;
        if (lk5 + lk6 > 0) goto error;
    }
    return 0;
error:
    return 1;
}
