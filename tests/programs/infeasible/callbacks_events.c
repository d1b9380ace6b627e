/* clew test
 * branches: 39 of 54
 * infeasible: 38 true
 * infeasible: 63 true
 * infeasible: 63 true
 * infeasible: 64 false
 * infeasible: 72 true
 * infeasible: 74 true
 * infeasible: 75 true
 * infeasible: 84 true
 * infeasible: 88 true
 * infeasible: 89 true
 * infeasible: 90 true
 * infeasible: 91 true
 * infeasible: 92 true
 * infeasible: 93 true
 * infeasible: 94 true
 * proved: at least 14
 *
 * Event handlers in a table that changes at run time: every slot holds one of four functions, results are small, and the handlers leave
 * the mode within its range. */
extern int __VERIFIER_nondet_int(void);

typedef int (*handler)(int argument);
enum { OFF, IDLE, ACTIVE, FAULT };
enum { EVENTS = 4 };

static int mode = IDLE, faults, handled;

static int ignore(int argument)
{
    (void)argument;
    return 0;
}

static int activate(int argument)
{
    if (mode == OFF) return 0;
    if (mode == FAULT) return -1;
    mode = ACTIVE;
    return argument > 10 ? 2 : 1;
}

static int calm(int argument)
{
    if (argument < 0) return -1;
    if (mode == ACTIVE) mode = IDLE;
    handled++;
    return 1;
}

static int fault(int argument)
{
    mode = FAULT;
    if (faults < 3) faults++;
    return argument == 77 ? 3 : -1;
}

static handler table[EVENTS] = {ignore, activate, calm, fault};

static int subscribe(int event, handler h)
{
    if (event < 0 || event >= EVENTS) return -1;
    if (!h) return -2;
    table[event] = h;
    return 0;
}

static int dispatch(int event, int argument)
{
    handler h = table[event];
    if (h == 0) return -9;
    int result = h(argument);
    if (result < -1) return -8;
    if (result > 3) return -7;
    return result;
}

int main(void)
{
    for (int i = 0; i < 12; i++) {
        int event = __VERIFIER_nondet_int() & 3, argument = __VERIFIER_nondet_int();
        if (argument == -5) {
            if (subscribe(event, faults > 2 ? ignore : calm) != 0) return 1;
            continue;
        }
        int result = dispatch(event, argument);
        if (result < -1) return 2;
        if (mode == OFF) return 3;
        if (mode > FAULT) return 4;
        if (result == 3 && mode != FAULT) return 5;
        if (faults == 0 && mode == FAULT) return 6;
        if (faults > 3) return 7;
        if (handled > 12) return 8;
    }
    return mode == ACTIVE ? handled : 9;
}
