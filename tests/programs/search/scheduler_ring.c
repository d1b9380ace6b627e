/* clew explore --max-runs 2000
 * branches: 8 of 8
 * complete: yes
 *
 * A scheduler that lets one thread of a ring run at a time.  Which one is an input, but only one is ready, so the path says which element of the
 * table is written: the table stays concrete, and its 16 states are all that there is to see. */
extern unsigned __VERIFIER_nondet_uint(void);

static int ready[4] = { 1, 0, 0, 0 };

int main(void)
{
    int turns = 0;
    while (1) {
        unsigned choice = __VERIFIER_nondet_uint() % 4;
        if (!ready[choice]) continue;
        ready[choice] = 0;
        ready[(choice + 1) % 4] = 1;
        turns++;
        if (turns == 10) turns = 0;
        if (choice == 3 && turns == 6) return 1;
    }
}
