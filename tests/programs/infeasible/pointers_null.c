/* clew test
 * branches: 4 of 6
 * infeasible: 13 false
 * infeasible: 20 false
 *
 * Addresses of objects are not null, and a pointer that was tested stays tested. */
extern int __VERIFIER_nondet_int(void);

static int first, second;

static int read(const int *p)
{
    if (!p) return -1;
    return *p;
}

int main(void)
{
    int local = 5, *p = __VERIFIER_nondet_int() ? &first : &second;
    if (!p) return 1;
    first = 3;
    int a = read(&first);
    return a + read(&second) + local;
}
