/* No input reaches the target, which is behind a loop of N turns. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int odd = 0, even = 0, mask = __VERIFIER_nondet_int();
    for (int i = 0; i < N; i++) {
        if (i & mask) odd++;
        else even++;
    }
    if (odd + even != N) return 1;
    return 0;
}
