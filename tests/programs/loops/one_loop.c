/* clew test
 * branches: 3 of 4
 * infeasible: 11 true
 * proved: at least 1
 *
 * The benchmark OneLoop: no multiple of 4 is 15. */
int one_loop(int n)
{
    int i = 0;
    while (i < n) i += 4;
    if (i == 15) return 1;
    return 0;
}
