/* clew test
 * branches: 9 of 10
 * infeasible: 13 true
 * tests: at most 10
 *
 * A constant table is no input: no month of it has more than 31 days. */
static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int strict;

int last_day(int month)
{
    if (month < 1 || month > 12) return -1;
    if (days[month - 1] > 31) return -2;
    if (strict && days[month - 1] == 28) return -3;
    return days[month - 1];
}
