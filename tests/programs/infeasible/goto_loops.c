/* clew test
 * branches: 7 of 10
 * infeasible: 15 true
 * infeasible: 18 true
 * infeasible: 20 true
 *
 * Loops made of goto, entered in the middle. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = 0, on = 0;
    if (__VERIFIER_nondet_int()) goto middle;
again:
    if (i > 6) return 1;
    on = 1;
middle:
    if (i < 0) return 2;
    i++;
    if (on > 1) return 3;
    if (i < 7) goto again;
    return 0;
}
