/* clew explore
 * seeds: 3
 * branches: 18 of 18
 * complete: yes
 *
 * Where a pointer leads depends on an input of the function that passes it on, as an argument or in memory: that input is part of what
 * the summary says. */
#include <clew.h>

typedef struct Holder {
    const int *number;
} Holder;

static void put_in_order(int *a, int *b)
{
    int kept = *a;
    if (kept > *b) {
        *a = *b;
        *b = kept;
    }
}

static int first_of(int *numbers, int other)
{
    put_in_order(numbers, numbers + other);
    return numbers[0];
}

static int is_large(const Holder *holder)
{
    if (*holder->number > 4) return 1;
    return 0;
}

static int is_large_at(const int *numbers, int at)
{
    Holder holder = {numbers + at};
    return is_large(&holder);
}

static int is_a(const char *text)
{
    if (*text == 'a') return 1;
    return 0;
}

static int is_a_at(const char *text, int at)
{
    return is_a(text + at);
}

int main(void)
{
    char text[3];
    clew_make_symbolic(text, sizeof text, "text");
    int numbers[3] = {clew_int("x"), clew_int("y"), 0};
    int large = is_large_at(numbers, 0) + 2 * is_large_at(numbers, 1);
    int letters = is_a_at(text, 0) + 2 * is_a_at(text, 1);
    int first = clew_bool("which") ? first_of(numbers, 1) : first_of(numbers, 2);
    if (large == 1) return 1;
    if (large == 2) return 2;
    if (letters == 1) return 3;
    if (letters == 2) return 4;
    if (first == 5) return 5;
    return 0;
}
