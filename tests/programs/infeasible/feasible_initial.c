/* clew test
 * branches: 16 of 16
 *
 * Pointers with initial values that the program changes by their names, through other pointers and by copies before it reads them: each outcome is taken. */
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct operations {
    int (*call)(int);
    int *where;
};
static int first = 1, second = 2;
static int *current = &first;
static int *const fixed[2] = {&first, &second};

static int ignore(int x)
{
    (void)x;
    return 0;
}

static int take(int x)
{
    return x;
}

static struct operations table[2] = {{ignore, &first}, {take, &second}};
static struct operations *selected = &table[0];

static void choose(struct operations *o)
{
    o->call = take;
    o->where = &second;
}

int main(void)
{
    int n = __VERIFIER_nondet_int(), sum = 0;
    if (n == 1) current = &second;
    else if (n == 2) choose(&table[0]);
    else if (n == 3) selected = &table[1];
    else if (n == 4) memcpy(&table[0], &table[1], sizeof table[0]);
    if (*current == 2) sum += 1;
    if (selected->call(n) == n) sum += 2;
    if (table[0].where == &second) sum += 4;
    if (fixed[n & 1] == &second) sum += 8;
    return sum;
}
