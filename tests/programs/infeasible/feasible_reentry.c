/* clew test
 * branches: 6 of 6
 * covered: at least 4
 *
 * Feasible: a function that is defined nowhere may call `poke`, and through it `set`, and may call `hidden` through the pointer that it was given. */
extern int elsewhere(int (*callback)(void));

static int first, second;

static void set(int value)
{
    first = value;
}

int poke(void)
{
    set(5);
    return 0;
}

static int hidden(void)
{
    second = 7;
    return 0;
}

int main(void)
{
    int told = elsewhere(hidden);
    if (first == 5) return 1;
    if (second == 7) return 2;
    if (told) return 3;
    return 0;
}
