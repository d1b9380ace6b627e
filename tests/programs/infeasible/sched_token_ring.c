/* clew test --work 4000
 * branches: 50 of 70
 * infeasible: 38 true
 * infeasible: 39 true
 * infeasible: 45 false
 * infeasible: 46 false
 * infeasible: 51 true
 * infeasible: 53 true
 * infeasible: 68 true
 * infeasible: 92 false
 * infeasible: 101 false
 * infeasible: 102 true
 * infeasible: 109 false
 * infeasible: 117 true
 * infeasible: 117 true
 * infeasible: 117 true
 * infeasible: 118 true
 * infeasible: 119 true
 * infeasible: 120 true
 * infeasible: 121 true
 * infeasible: 122 true
 * infeasible: 123 true
 *
 * A SystemC-like scheduler in the manner of token_ring: a master and two transmitters with program counters, states and events; the token
 * is raised by one at every station, nobody runs while it is waiting, and some station is always ready. */
extern int __VERIFIER_nondet_int(void);

enum { READY, RUNNING, WAITING };
enum { NONE = 2, FIRED = 1, PENDING = 0 };

static int m_pc, t1_pc, t2_pc;
static int m_st, t1_st, t2_st;
static int e_m = NONE, e_1 = NONE, e_2 = NONE;
static int token, local, rounds;

static void check_pc(int pc)
{
    if (pc < 0) __builtin_trap();
    if (pc > 1) __builtin_trap();
}

static void immediate_notify(void)
{
    if (m_pc == 1 && e_m == FIRED) m_st = READY;
    if (t1_pc == 1 && e_1 == FIRED) t1_st = READY;
    if (t2_pc == 1 && e_2 == FIRED) t2_st = READY;
}

static void master(void)
{
    if (m_st != RUNNING) __builtin_trap();
    if (m_pc == 1) {
        if (token != local + 2) __builtin_trap();
        if (rounds < 50) rounds++;
    }
    token = __VERIFIER_nondet_int() & 0xff;
    local = token;
    e_1 = FIRED;
    immediate_notify();
    e_1 = NONE;
    m_pc = 1;
    m_st = WAITING;
}

static void transmit1(void)
{
    if (t1_pc == 1) {
        if (m_pc != 1) __builtin_trap();
        token++;
        e_2 = FIRED;
        immediate_notify();
        e_2 = NONE;
    }
    t1_pc = 1;
    t1_st = WAITING;
}

static void transmit2(void)
{
    if (t2_pc == 1) {
        token++;
        e_m = FIRED;
        immediate_notify();
        e_m = NONE;
    }
    t2_pc = 1;
    t2_st = WAITING;
}

static int runnable(void)
{
    return m_st == READY || t1_st == READY || t2_st == READY;
}

int main(void)
{
    /* The transmitters start first, as in the original, so that no event is lost. */
    t1_st = t2_st = RUNNING;
    transmit1();
    transmit2();
    while (runnable()) {
        if (m_st == READY && t1_st == READY) return 1;
        if (m_st == READY) {
            m_st = RUNNING;
            master();
        } else if (t1_st == READY) {
            t1_st = RUNNING;
            transmit1();
        } else if (t2_st == READY) {
            t2_st = RUNNING;
            transmit2();
        } else {
            return 2;
        }
        check_pc(m_pc);
        check_pc(t1_pc);
        if (m_st == RUNNING || t1_st == RUNNING || t2_st == RUNNING) return 3;
        if (e_1 == FIRED) return 4;
        if (e_2 != NONE) return 5;
        if (e_m == PENDING) return 6;
        if (token < 0) return 7;
        if (token > 257) return 8;
        if (token - local > 2) return 9;
        if (rounds == 50 && __VERIFIER_nondet_int() == 0) break;
    }
    return rounds;
}
