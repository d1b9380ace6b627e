/* clew test
 * branches: 6 of 6
 *
 * A request is repeated with doubled pauses; it is answered in the ninth try, when 511 ticks have passed. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned pause = 1, passed = 0;
    int tries = 0;
    while (!__VERIFIER_nondet_int()) {
        passed += pause;
        pause *= 2;
        tries++;
        if (tries == 12) return 2;
    }
    if (passed == 511) return 1;
    return 0;
}
