/* clew test
 * branches: 10 of 10
 * complete: yes
 * tests: at most 14
 *
 * Results that are enumerations and bools. */
#include <stdbool.h>

enum key { KEY_NONE, KEY_UP, KEY_DOWN, KEY_STOP, KEY_OTHER };

enum key scan_keys(void);
bool door_closed(void);

int lift(int floor)
{
    if (!door_closed()) return floor;
    switch (scan_keys()) {
    case KEY_UP:
        if (floor < 9) return floor + 1;
        return 9;
    case KEY_DOWN:
        if (floor > 0) return floor - 1;
        return 0;
    case KEY_STOP: return -1;
    default: return floor;
    }
}
