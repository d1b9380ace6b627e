/* Three dates of a booking: made, arrival, departure.  Each must be a date, and they must be in order. */
#include <clew.h>
#include <stdbool.h>

typedef struct Date {
    int year, month, day;
} Date;

static bool is_leap(int year)
{
    if (year % 4 != 0) return false;
    if (year % 100 != 0) return true;
    return year % 400 == 0;
}

static int days_in(int month, int year)
{
    switch (month) {
    case 2: return is_leap(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11: return 30;
    default: return 31;
    }
}

static bool is_valid(const Date *date)
{
    if (date->year < 1990 || date->year > 2100) return false;
    if (date->month < 1 || date->month > 12) return false;
    return date->day >= 1 && date->day <= days_in(date->month, date->year);
}

static int compare(const Date *a, const Date *b)
{
    if (a->year != b->year) return a->year < b->year ? -1 : 1;
    if (a->month != b->month) return a->month < b->month ? -1 : 1;
    if (a->day != b->day) return a->day < b->day ? -1 : 1;
    return 0;
}

static Date read_date(const char *name)
{
    return (Date){clew_int(name), clew_int(name), clew_int(name)};
}

int main(void)
{
    Date made = read_date("made"), arrival = read_date("arrival"), departure = read_date("departure");
    int wrong = 0;
    if (!is_valid(&made)) wrong++;
    if (!is_valid(&arrival)) wrong++;
    if (!is_valid(&departure)) wrong++;
    if (wrong > 0) return wrong;
    if (compare(&made, &arrival) > 0) return 4;
    if (compare(&arrival, &departure) >= 0) return 5;
    int nights = departure.day - arrival.day;
    if (arrival.year != departure.year || arrival.month != departure.month) nights += 30;
    clew_assert(nights > 0); /* not from the 31st to the 1st */
    return 0;
}
