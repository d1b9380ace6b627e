/* clew test
 * branches: 12 of 12
 * complete: yes
 * tests: at most 12
 *
 * A share as a whole number of percent, rounded. */
int percent(float share)
{
    if (!(share >= 0 && share <= 1)) return -1;
    int result = (int)(share * 100 + 0.5f);
    if (result == 100 && share < 1) return 99;
    if (result == 0 && share > 0) return 1;
    return result;
}
