/* clew explore --revisit --no-summaries
 * seeds: 3
 * branches: 8 of 8
 * paths: 729
 * complete: yes
 *
 * Inputs of one name in a loop: every path once, however the search repeats what it found. */
#include <clew.h>

int main(void)
{
    int state = 0;
    for (int i = 0; i < 6; i++) {
        int key = clew_int("key");
        if (key == i * 37 + 11) state++;
        else if (key < 0) state = 0;
    }
    if (state == 6) return 1;
    return 0;
}
