/* clew explore --function test
 * seeds: 10
 * branches: 5 of 6
 * returns: 1
 * bug: signed-overflow 10
 *
 * Paper 001, figure 3: S0 is unreachable; without the extra equalities mixed solving would believe otherwise. */
int test(int x, int y)
{
    if (x >= 0 && x > y && y == x * x) return 0; /* S0 */
    return 1;                                    /* S1 */
}
