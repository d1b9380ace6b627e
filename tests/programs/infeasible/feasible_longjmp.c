/* clew test
 * branches: 30 of 30
 *
 * Feasible: longjmp returns to places that lie behind in the code, with another value than the first time, and skips what stands after calls. */
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);

static jmp_buf recovery, outer;
static int errors, opened, parsed;

static void fail(int code)
{
    errors++;
    longjmp(recovery, code);
}

static int parse(int depth)
{
    int c = __VERIFIER_nondet_int();
    if (c == '(') return depth < 3 ? parse(depth + 1) : (fail(2), 0);
    if (c == '!') fail(depth + 3);
    if (c == '@') longjmp(outer, 7);
    parsed++;
    return depth;
}

static int attempt(void)
{
    volatile int stage = 0;
    opened++;
    int code = setjmp(recovery);
    if (code == 0) {
        stage = 1;
        parse(0);
        stage = 2;
    } else if (code == 2) {
        return -2;
    } else if (code > 5) {
        return -4;
    }
    if (stage == 1) return -1;
    opened--;
    return 0;
}

int main(void)
{
    volatile int tries = 0;
    if (setjmp(outer) != 0) {
        if (tries == 1) return 7;
        return 8;
    }
    while (tries < 2) {
        tries = tries + 1;
        int result = attempt();
        if (result == -1) break;
        if (result == -4) return 2;
        if (result < 0) return 3;
    }
    if (opened != 0) return 4;
    return errors;
}
