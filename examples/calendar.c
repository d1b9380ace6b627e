/* clew test
 * branches: 30 of 30
 * complete: yes
 * tests: at most 30
 *
 * Which day follows this one?  December 31 and February 28 take inputs that chance does not find. */
struct date {
    int year, month, day;
};

static int is_leap(int year)
{
    return year % 400 == 0 ? 1 : year % 100 == 0 ? 0 : year % 4 == 0 ? 1 : 0;
}

static int days_in(int year, int month)
{
    switch (month) {
    case 2: return 28 + is_leap(year);
    case 4:
    case 6:
    case 9:
    case 11: return 30;
    default: return 31;
    }
}

int next_day(struct date *date)
{
    if (!date || date->year < 1583 || date->year > 9999) return -1;
    if (date->month < 1 || date->month > 12) return -2;
    if (date->day < 1 || date->day > days_in(date->year, date->month)) return -3;
    if (date->day < days_in(date->year, date->month)) {
        date->day++;
        return 0;
    }
    date->day = 1;
    if (date->month < 12) {
        date->month++;
        return 1;
    }
    date->month = 1;
    date->year++;
    return 2;
}
