/* clew test
 * branches: 14 of 18
 * infeasible: 14 false
 * infeasible: 19 true
 * infeasible: 25 true
 * infeasible: 27 false
 *
 * A handshake in the manner of ssh servers: states are distant constants, and a flag follows them. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int s = 8464, blocked = 0;
    for (int rounds = 0; rounds < 6; rounds++) {
        if (s == 8464) {
            s = 8466;
            blocked = 1;
        } else if (s == 8466) {
            if (blocked != 1) return 1;
            s = __VERIFIER_nondet_int() ? 8496 : 8512;
            blocked = 2;
        } else if (s == 8496) {
            s = 8512;
        } else if (s == 8512) {
            if (blocked < 2) return 2;
            s = 8640;
        } else if (s == 8640) {
            return 0;
        } else {
            return 3;
        }
    }
    return 4;
}
