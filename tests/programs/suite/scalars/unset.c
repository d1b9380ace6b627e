/* clew test
 * branches: 6 of 6
 * bug: uninitialized 13
 * complete: yes
 * tests: at most 4
 *
 * A variable that one of three ways forgets to set. */
int scale(int unit, int number)
{
    int factor;
    if (unit == 0) factor = 1;
    else if (unit == 1) factor = 10;
    if (factor > 1) return number / factor;
    return number;
}
