/* The median of three numbers, by two ways that must agree. */
#include <clew.h>

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int median(int a, int b, int c)
{
    return larger(smaller(a, b), smaller(larger(a, b), c));
}

static void exchange(int *a, int *b)
{
    int kept = *a;
    *a = *b;
    *b = kept;
}

static int middle(int a, int b, int c)
{
    if (a > b) exchange(&a, &b);
    if (b > c) exchange(&b, &c);
    if (a > b) exchange(&a, &b);
    return b;
}

int main(void)
{
    int a = clew_int("a"), b = clew_int("b"), c = clew_int("c");
    clew_assert(median(a, b, c) == middle(a, b, c));
    return 0;
}
