/* clew test
 * branches: 10 of 10
 *
 * A table of 40,000 measurements is filled with inputs before any of them is looked at.
 * What makes it hard is that nothing can be decided in the first 40,000 inputs, and everything after them. */
extern int __VERIFIER_nondet_int(void);

enum { SIZE = 40000 };

static int table[SIZE];

int main(void)
{
    for (int i = 0; i < SIZE; i++) table[i] = __VERIFIER_nondet_int();
    if (table[0] == 77) return 1;
    if (table[SIZE - 1] == 5 && table[SIZE / 2] > 9) return 2;
    if (table[3] < table[4]) return 3;
    return 0;
}
