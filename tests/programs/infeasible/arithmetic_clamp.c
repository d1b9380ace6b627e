/* clew test
 * branches: 7 of 10
 * infeasible: 13 true
 * infeasible: 14 true
 * infeasible: 15 true
 *
 * A unit: whatever it is given, what it clamps is clamped. */
int clamp(int x, int low_bits)
{
    int low = low_bits & 15, high = 100;
    if (x < 0) x = 0;
    if (x > high) x = high;
    if (x < 0) return -1;
    if (x > 100) return -2;
    if (low > x + 200) return -3;
    return x + low;
}
