/* The target is behind a loop that must go round N times, and asks for an input in each turn. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int held = 0;
    while (__VERIFIER_nondet_int() == 7) held++;
    if (held == N) return 1;
    return 0;
}
