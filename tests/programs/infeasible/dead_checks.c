/* clew test
 * branches: 43 of 62
 * infeasible: 36 true
 * infeasible: 36 false
 * infeasible: 42 true
 * infeasible: 42 false
 * infeasible: 49 true
 * infeasible: 53 true
 * infeasible: 54 true
 * infeasible: 55 false
 * infeasible: 61 true
 * infeasible: 62 true
 * infeasible: 62 true
 * infeasible: 62 false
 * infeasible: 91 true
 * infeasible: 93 true
 * infeasible: 94 true
 * infeasible: 95 true
 * infeasible: 96 true
 * infeasible: 97 true
 * infeasible: 98 true
 *
 * Contradictory conditions in different functions: callers check before they call, callees check again, and what only the second check
 * would reach is dead, whole functions among it. */
extern int __VERIFIER_nondet_int(void);

enum role { GUEST, USER, ADMIN };
struct request {
    enum role role;
    int size, priority, authenticated;
};
static int denied, logged;

static void report(int code)
{
    if (code > 3) logged = 2;
    else logged = 1;
}

static int emergency(const struct request *r)
{
    if (r->priority > 9) return 1;
    report(r->size);
    return 0;
}

static int write_block(const struct request *r)
{
    if (r->role == GUEST) {
        denied++;
        return -1;
    }
    if (r->size <= 0) return emergency(r);
    if (r->size > 512) return -2;
    if (!r->authenticated) return -3;
    return r->size;
}

static int administrate(const struct request *r)
{
    if (r->role != ADMIN) return -4;
    if (r->role == USER && r->size > 100) return -5;
    if (r->priority < 5) return write_block(r);
    return r->priority;
}

static int handle(const struct request *r)
{
    if (r->size < 1 || r->size > 512) return 0;
    if (r->role == ADMIN && r->authenticated) return administrate(r);
    if (r->role != USER) return 0;
    if (r->authenticated) return write_block(r);
    return 0;
}

static int normalise(int x, int highest)
{
    if (x < 0) return 0;
    return x > highest ? highest : x;
}

int main(void)
{
    struct request r;
    int role = __VERIFIER_nondet_int();
    if (role < GUEST || role > ADMIN) return 1;
    r.role = (enum role)role;
    r.size = __VERIFIER_nondet_int();
    r.priority = normalise(__VERIFIER_nondet_int(), 9);
    r.authenticated = r.role != GUEST && __VERIFIER_nondet_int() == 4711;
    if (r.role == GUEST && r.authenticated) return 2;
    int result = handle(&r);
    if (result < 0) return 3;
    if (result > 512) return 4;
    if (denied) return 5;
    if (logged) return 6;
    if (r.priority == 10) return 7;
    if (result > 9 && r.role == GUEST) return 8;
    return result == 300;
}
