/* clew explore
 * seeds: 2
 * branches: 28 of 28
 * paths: 3
 * complete: yes
 * bug: abort 19
 *
 * Functions that end the program: their postcondition is false, and the others are merged. */
#include <clew.h>
#include <stdlib.h>

enum { COUNT = 8 };

static int refused;

static void refuse(unsigned char c)
{
    if (c == '#' && ++refused == 3) exit(3);
    if (c == '$' && refused == 2) abort();
}

static int class_of(unsigned char c)
{
    refuse(c);
    if (c == '!' && refused == 1) exit(9);
    if (c >= 'a' && c <= 'z') return 1;
    return c >= '0' && c <= '9' ? 3 : 0;
}

int main(void)
{
    unsigned char text[COUNT];
    clew_make_symbolic(text, COUNT, "text");
    int sum = 0;
    for (int i = 0; i < COUNT; i++) sum += class_of(text[i]);
    if (sum == 17) return 1;
    return sum > 20 ? 2 : 0;
}
