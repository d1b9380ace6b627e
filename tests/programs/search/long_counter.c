/* clew explore --no-summaries
 * branches: 6 of 6
 * paths: 1
 * complete: yes
 *
 * A counter that must reach 1,000 while an input stays in a range. */
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int good = 0;
    while (1) {
        unsigned char pressure = __VERIFIER_nondet_uchar();
        if (pressure >= 100 && pressure <= 120) good++;
        else good = 0;
        if (good == 1000) return 0;
    }
}
