/* clew test
 * branches: 5 of 6
 * infeasible: 20 true
 * proved: at least 1
 *
 * A loop below a function that checks a limit: the number of parts stays below it, so the last branch is
 * never taken. */
int __VERIFIER_nondet_int(void);

static unsigned parts;

static void add_part(void)
{
    if (parts < 500) parts += 4;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) add_part();
    if (parts > 500) return 1;
    return 0;
}
