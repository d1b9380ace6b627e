/* Dates: validity, day of the week, days between, and the date a number of days later. */
#include <clew.h>

struct date {
    int year, month, day;
};

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

static int is_valid(const struct date *d)
{
    if (d->year < 1583 || d->year > 2400 || d->month < 1 || d->month > 12) return 0;
    return d->day >= 1 && d->day <= days_in(d->year, d->month);
}

/* 0 is Sunday (Sakamoto's rule). */
static int weekday(const struct date *d)
{
    static const int offsets[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    int year = d->year - (d->month < 3);
    return (year + year / 4 - year / 100 + year / 400 + offsets[d->month - 1] + d->day) % 7;
}

/* Days since 1 March of the year 0. */
static long day_number(const struct date *d)
{
    long year = d->month > 2 ? d->year : d->year - 1, month = (d->month + 9) % 12;
    return 365 * year + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + d->day - 1;
}

static struct date add_days(struct date d, int days)
{
    d.day += days;
    while (d.day > days_in(d.year, d.month)) {
        d.day -= days_in(d.year, d.month);
        if (++d.month > 12) {
            d.month = 1;
            d.year++;
        }
    }
    return d;
}

/* The third Friday, when options expire. */
static int third_friday(int year, int month)
{
    struct date first = {year, month, 1};
    return 1 + (5 - weekday(&first) + 7) % 7 + 14;
}

static int quarter_end(const struct date *d)
{
    return d->month % 3 == 0 && d->day == days_in(d->year, d->month);
}

int main(void)
{
    struct date d = {clew_int("year"), clew_int("month"), clew_int("day")};
    int days = clew_range(0, 90, "days");
    if (!is_valid(&d)) return 1;
    int week = weekday(&d);
    clew_assert(week >= 0 && week < 7);
    struct date later = add_days(d, days);
    clew_assert(later.day >= 1 && later.day <= days_in(later.year, later.month));
    clew_assert(day_number(&later) - day_number(&d) == days);
    if (d.day == 29 && d.month == 2) return later.year > d.year ? 2 : 3; /* 2: not within 89 days */
    if (d.day == 13 && week == 5) return 4;
    if (d.day == third_friday(d.year, d.month)) return quarter_end(&later) ? 5 : 6;
    if (week == 0 || week == 6) return 7;
    return d.year % 100 == 0 && is_leap(d.year) ? 8 : 0;
}
