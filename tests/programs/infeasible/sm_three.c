/* clew test
 * branches: 11 of 14
 * infeasible: 14 default
 * infeasible: 34 true
 * infeasible: 35 true
 *
 * A machine of three states whose fourth case nobody reaches. */
extern int __VERIFIER_nondet_int(void);

static int state;

static int step(int event)
{
    switch (state) {
    case 0:
        if (event == 1) state = 1;
        break;
    case 1:
        state = event > 5 ? 2 : 0;
        break;
    case 2:
        state = 0;
        break;
    default:
        return -1;
    }
    return state;
}

int main(void)
{
    for (int i = 0; i < 4; i++) {
        int now = step(__VERIFIER_nondet_int());
        if (now < 0) return 2;
        if (now > 2) return 3;
    }
    return 0;
}
