/* clew test
 * branches: 26 of 42
 * infeasible: 29 true
 * infeasible: 43 true
 * infeasible: 44 true
 * infeasible: 45 true
 * infeasible: 58 true
 * infeasible: 59 true
 * infeasible: 60 true
 * infeasible: 61 true
 * infeasible: 62 true
 * infeasible: 63 true
 * infeasible: 64 true
 * infeasible: 69 true
 * infeasible: 70 true
 * infeasible: 71 true
 * infeasible: 72 true
 * infeasible: 73 true
 * proved: at least 16
 *
 * Parity and multiples: what only grows by even steps stays even, what is a sum of multiples of 4 is one, and an odd number is never 0. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned even = 2, odd = 1;

static unsigned next_even(unsigned x)
{
    if (x & 1) return 0;
    return x + 2;
}

static int padding(int length)
{
    int rest = length & 3;
    if (rest == 0) return 0;
    return 4 - rest;
}

static int aligned(int length)
{
    int whole = length + padding(length);
    if (whole % 4 != 0) return -1;
    if (whole < length) return -2;
    if (whole - length > 3) return -3;
    return whole;
}

int main(void)
{
    unsigned steps = 0, total = 0;
    while (__VERIFIER_nondet_int() != 0) {
        unsigned amount = __VERIFIER_nondet_uint();
        even = next_even(even);
        odd += even;
        total += (amount & 0xffff) * 4;
        steps += 6;
        if (even % 2 != 0) return 1;
        if (odd % 2 != 1) return 2;
        if (odd == 0) return 3;
        if (total % 4 == 2) return 4;
        if (total == 4294967294u) return 5;
        if (steps % 2 == 1) return 6;
        if (even == odd) return 7;
    }
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > 40000) return 8;
    int whole = aligned(length);
    if (whole < 0) return 9;
    if (whole == 40001) return 10;
    if (whole > 40000) return 11;
    if ((length * (length + 1)) % 2 != 0) return 12;
    if (length * 2 == 777) return 13;
    return whole == 128 ? 14 : 0;
}
