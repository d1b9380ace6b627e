/* clew test
 * branches: 14 of 14
 *
 * Four loops in a row. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = 0, b = 0, c = 0, d = 0;
    while (__VERIFIER_nondet_int()) a++;
    while (__VERIFIER_nondet_int()) b += 2;
    while (__VERIFIER_nondet_int()) c += 3;
    while (__VERIFIER_nondet_int()) d++;
    if (a + b + c + d == 99 && a == 2 * b && c == 3 * d + 3) return 1;
    return 0;
}
