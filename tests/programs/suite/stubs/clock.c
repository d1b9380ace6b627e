/* clew test
 * branches: 10 of 10
 * complete: yes
 * tests: at most 12
 *
 * A struct that a missing function fills in. */
struct time {
    int hour, minute;
};

void clock_now(struct time *now);

int shop_open(int sunday)
{
    struct time now = {0};
    clock_now(&now);
    if (now.hour < 0 || now.hour > 23) return -1;
    if (sunday) return 0;
    if (now.hour >= 8 && now.hour < 20) return 1;
    return 0;
}
