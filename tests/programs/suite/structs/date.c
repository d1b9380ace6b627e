/* clew test --function valid
 * branches: 22 of 22
 * complete: yes
 * tests: at most 24
 *
 * Is this a date of the Gregorian calendar?  The leap years are decided in a function of their own, whose branches do not count here. */
struct date {
    int year, month, day;
};

static int leap(int year)
{
    if (year % 400 == 0) return 1;
    if (year % 100 == 0) return 0;
    if (year % 4 == 0) return 1;
    return 0;
}

int valid(const struct date *date)
{
    int days = 31;
    if (!date) return 0;
    if (date->year < 1583 || date->year > 9999) return 0;
    if (date->month < 1 || date->month > 12) return 0;
    switch (date->month) {
    case 4:
    case 6:
    case 9:
    case 11: days = 30; break;
    case 2: days = leap(date->year) ? 29 : 28; break;
    default: break;
    }
    if (date->day < 1 || date->day > days) return 0;
    return 1;
}
