/* clew run
 * exit: 0
 */
#include <stdio.h>

enum plain { ZERO, ONE, TEN = 10, ELEVEN, MINUS = -3, MINUS_TWO };
enum __attribute__((packed)) tiny { T0, T1, T255 = 255 };
enum flags { READ = 1 << 0, WRITE = 1 << 1, EXEC = 1 << 2, ALL = READ | WRITE | EXEC };
enum wide { HUGE_VALUE = 1l << 40 };

struct holder {
    enum tiny t;
    enum plain p : 8;
};

#define COLORS(X) X(RED) X(GREEN) X(BLUE)
#define AS_ENUM(name) name,
#define AS_TEXT(name) #name,
enum color { COLORS(AS_ENUM) COLOR_COUNT };
static const char *const names[] = {COLORS(AS_TEXT)};

static enum color after(enum color c)
{
    return (enum color)((c + 1) % COLOR_COUNT);
}

int main(void)
{
    struct holder h = {T255, MINUS};
    printf("%d %d %d %d %d\n", ONE, ELEVEN, MINUS_TWO, h.t, h.p);
    printf("%zu %zu %zu %ld\n", sizeof(enum tiny), sizeof(enum plain), sizeof(enum wide), (long)HUGE_VALUE);
    enum flags f = READ | EXEC;
    f &= ~READ;
    f ^= ALL;
    printf("%d %d\n", f, (f & WRITE) != 0);
    int counts[COLOR_COUNT] = {0};
    enum color c = RED;
    for (int i = 0; i < 7; i++, c = after(c)) counts[c]++;
    for (c = RED; c < COLOR_COUNT; c++) printf("%s=%d ", names[c], counts[c]);
    h.t++;
    printf("%d\n", h.t);
    return 0;
}
