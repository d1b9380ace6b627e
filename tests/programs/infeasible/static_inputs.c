/* clew test
 * branches: 13 of 16
 * infeasible: 22 default
 * infeasible: 43 true
 * infeasible: 44 true
 * covered: at least 11
 *
 * A lock whose keys come from a function that is defined nowhere.  That function may call only `press_count`, which writes nothing but `presses`, so that the
 * state of the lock keeps its value while keys are read. */
extern int read_key(void);

static int state, open_doors, presses;

int press_count(void)
{
    if (presses < 100) presses++;
    return presses;
}

static void step(int key)
{
    switch (state) {
    case 0:
        if (key == 7) state = 1;
        break;
    case 1:
        state = read_key() == 3 ? 2 : 0;
        break;
    case 2:
        open_doors = 1;
        state = 0;
        break;
    default:
        open_doors = 2;
        break;
    }
}

int main(void)
{
    for (int i = 0; i < 4; i++) {
        step(read_key());
        if (state > 2) return 2;
        if (open_doors > 1) return 3;
    }
    return 0;
}
