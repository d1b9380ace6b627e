/* clew test
 * branches: 13 of 13
 * complete: yes
 * tests: at most 18
 *
 * Enumerations and a bool; OUT_OF_ORDER is not handled by the switch and takes the default. */
#include <stdbool.h>

enum light { RED, RED_YELLOW, GREEN, YELLOW, OUT_OF_ORDER };

struct crossing {
    enum light light;
    unsigned seconds;
    bool pedestrian;
};

enum light next(const struct crossing *crossing)
{
    if (!crossing) return OUT_OF_ORDER;
    switch (crossing->light) {
    case RED: return crossing->seconds >= 30 ? RED_YELLOW : RED;
    case RED_YELLOW: return GREEN;
    case GREEN:
        if (crossing->pedestrian && crossing->seconds >= 10) return YELLOW;
        return GREEN;
    case YELLOW: return RED;
    default: return OUT_OF_ORDER;
    }
}
