/* clew test
 * branches: 12 of 12
 *
 * An oven's program ends after 1,000 turns in which the temperature stayed in a range; a door that opens sets
 * the count back, and more than two openings end the program. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int steady = 0, openings = 0;
    for (;;) {
        int temperature = __VERIFIER_nondet_int();
        int door = __VERIFIER_nondet_int();
        if (door == 1) {
            openings++;
            steady = 0;
            if (openings > 2) return 2;
        } else if (temperature < 180 || temperature > 200) {
            steady = 0;
        } else {
            steady++;
        }
        if (steady == 1000) return openings == 2 ? 1 : 0;
    }
}
