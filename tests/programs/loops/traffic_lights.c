/* clew test
 * branches: 16 of 16
 *
 * A light with three colours, each of which lasts a number of ticks; the fifth green phase with a waiting car
 * is wanted. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int colour = 0, ticks = 0, greens = 0;
    for (;;) {
        int car = __VERIFIER_nondet_int();
        ticks++;
        if (colour == 0 && ticks == 20) {
            colour = 1;
            ticks = 0;
            greens++;
        } else if (colour == 1 && ticks == 15) {
            colour = 2;
            ticks = 0;
        } else if (colour == 2 && ticks == 3) {
            colour = 0;
            ticks = 0;
        }
        if (greens == 5 && car == 77) return 1;
    }
}
