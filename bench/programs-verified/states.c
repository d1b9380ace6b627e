/* Machines, clocks and retries: assertions about states, ranges of times, and counters. */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

typedef enum Connection { CLOSED, OPENING, OPEN, CLOSING, STATES } Connection;

typedef struct Timer {
    int left, period;
    bool is_running;
} Timer;

static Connection connection;
static int attempts, floor_now, passengers;

void on_event(char event)
{
    Connection before = connection;
    switch (before) {
    case CLOSED:
        if (event == 'o') connection = OPENING;
        break;
    case OPENING:
        if (event == 'a') connection = OPEN;
        if (event == 't') connection = CLOSED;
        break;
    case OPEN:
        if (event == 'c') connection = CLOSING;
        break;
    case CLOSING: connection = CLOSED; break;
    default: break;
    }
    assert(connection < STATES);
    assert(before == OPENING || connection != OPEN || before == OPEN);
}

int delay_of_retry(int base)
{
    if (base <= 0 || base > 1000) return 0;
    int delay = base;
    attempts++;
    for (int i = 1; i < attempts && i < 8; i++) delay *= 2;
    assert(attempts > 0);
    assert(delay >= base);
    return delay;
}

void tick(Timer *timer, int elapsed)
{
    if (!timer->is_running || elapsed < 0) return;
    timer->left -= elapsed;
    if (timer->left <= 0) {
        timer->left += timer->period;
        timer->is_running = timer->period > 0;
    }
    assert(!timer->is_running || timer->left > 0);
}

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12) return 0;
    int n = days[month - 1];
    if (month == 2 && is_leap(year)) n++;
    assert(n >= 28 && n <= 31);
    return n;
}

int day_of_year(int year, int month, int day)
{
    int sum = day;
    if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return 0;
    for (int m = 1; m < month; m++) sum += days_in_month(year, m);
    assert(sum >= day);
    assert(sum <= 366);
    return sum;
}

int add_minutes(int minute_of_day, int minutes)
{
    if (minute_of_day < 0 || minute_of_day >= 1440) return -1;
    int sum = (minute_of_day + minutes) % 1440;
    if (sum < 0) sum += 1440;
    assert(sum >= 0 && sum < 1440);
    return sum;
}

void move_lift(int wanted, int people)
{
    if (wanted < 0 || wanted > 20) return;
    passengers += people;
    if (passengers > 8) return;
    while (floor_now < wanted) floor_now++;
    while (floor_now > wanted) floor_now--;
    assert(floor_now == wanted);
    assert(passengers <= 8);
    assert(passengers >= 0);
}

int next_player(int player, int count, bool is_reversed)
{
    if (count <= 0 || player < 0 || player >= count) return -1;
    int next = is_reversed ? (player + count - 1) % count : (player + 1) % count;
    assert(next >= 0);
    assert(next < count);
    return next;
}

int elapsed(int from, int to)
{
    int difference = to - from;
    if (to < from) return 0;
    assert(difference >= 0);
    if (difference > 86400) difference = 86400;
    assert(difference <= 86400);
    return difference;
}
