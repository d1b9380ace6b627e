/* The target is behind a loop that must go round N times; how often it does depends on one input. */
int __VERIFIER_nondet_int(void);

#ifdef FIXED
#define BOUND FIXED
#else
#define BOUND __VERIFIER_nondet_int()
#endif

int main(void)
{
    int n = BOUND, sum = 0;
    for (int i = 0; i < n; i++) sum += 3;
    if (sum == 3 * N) return 1;
    return 0;
}
