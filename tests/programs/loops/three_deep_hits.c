/* clew test
 * branches: 10 of 10
 *
 * Three nested loops; each innermost turn asks for an input. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int hits = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 6; k++)
                if (__VERIFIER_nondet_int() > 0) hits++;
    if (hits == 77) return 1;
    return 0;
}
