/* clew explore
 * seeds: 3
 * branches: 11 of 12
 * bug: uninitialized 29
 * bug: uninitialized 41
 * complete: yes
 *
 * What one call leaves uninitialised on some of its paths is read by the next call: there, and not before, it is looked at. */
#include <clew.h>

static void copy(char *to, const char *from)
{
    while ((*to++ = *from++)) continue;
}

static void append(char *to, const char *from)
{
    while (*to) to++;
    while ((*to++ = *from++)) continue;
}

static void set(int *to, int x)
{
    if (x > 0) *to = 2;
}

static int is_two(int x)
{
    if (x == 2) return 3;
    return 0;
}

int main(void)
{
    char a[3] = {0}, b[3] = {0}, both[6];
    int number, kept;
    clew_make_symbolic(a, 2, "a");
    clew_make_symbolic(b, 2, "b");
    copy(both, a);
    append(both, b);
    if (both[1] == 'x') return 1;
    set(&number, clew_int("x"));
    kept = is_two(number);
    return kept;
}
