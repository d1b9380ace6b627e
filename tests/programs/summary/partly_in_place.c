/* clew explore --summaries
 * branches: 30 of 30
 * complete: yes
 *
 * Functions that cannot be summarised on some of their paths: these print, keep memory that they have allocated, or free memory of others.  A call
 * that comes to such a path is executed in place, one that comes to another is completed; whichever a run does first, the other one is looked for. */
#include <clew.h>
#include <stdio.h>
#include <stdlib.h>

static int checked(int x)
{
    if (x < 0) {
        printf("%d is negative\n", x);
        return -1;
    }
    if (x > 100) return 100;
    return x;
}

static int shared;

static int *slot(int x)
{
    if (x == 7) {
        int *made = malloc(sizeof *made);
        *made = 3;
        return made;
    }
    if (x > 7) return NULL;
    shared = x;
    return &shared;
}

static int dropped(int *p, int x)
{
    if (x == 5) {
        free(p);
        return 1;
    }
    return x > 5 ? 2 : 0;
}

static int stored(int a)
{
    int *p = slot(a);
    if (!p) return 0;
    if (*p == 3) return 1;
    return 2;
}

int main(void)
{
    int a = clew_int("a"), b = clew_int("b"), c = clew_int("c");
    int r = checked(a) + 1;
    if (r == 0) return 1;
    if (r == 101 && checked(b) == -1) return 2;
    if (checked(b) == 42 && checked(a) == 41) return 3;
    int *p = malloc(sizeof *p);
    int how = dropped(p, c);
    if (how == 1) return 4;
    free(p);
    if (how == 2) return stored(b);
    return 5;
}
