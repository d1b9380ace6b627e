/* clew test
 * branches: 6 of 6
 *
 * The counter is changed by a function that gets its address. */
unsigned char __VERIFIER_nondet_uchar(void);

static void step(int *counter, unsigned char by)
{
    if (by > 3) return;
    *counter += by;
}

int main(void)
{
    int counter = 0;
    for (int i = 0; i < 60; i++) step(&counter, __VERIFIER_nondet_uchar());
    if (counter == 150) return 1;
    return 0;
}
