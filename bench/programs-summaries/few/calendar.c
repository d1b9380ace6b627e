/* The day of the year of a date. */
#include <clew.h>
#include <stdbool.h>

static bool is_leap(int year)
{
    if (year % 4 != 0) return false;
    return year % 100 != 0 || year % 400 == 0;
}

static int days_of(int year, int month)
{
    if (month == 2) return is_leap(year) ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

static bool is_date(int year, int month, int day)
{
    return month >= 1 && month <= 12 && day >= 1 && day <= days_of(year, month);
}

static int day_of_year(int year, int month, int day)
{
    for (int earlier = 1; earlier < month; earlier++) day += days_of(year, earlier);
    return day;
}

int main(void)
{
    int year = clew_range(1900, 2100, "year"), month = clew_int("month"), day = clew_int("day");
    if (!is_date(year, month, day)) return 1;
    int ordinal = day_of_year(year, month, day);
    clew_assert(ordinal >= 1 && ordinal <= 366);
    return ordinal == 366 ? 2 : 0;
}
