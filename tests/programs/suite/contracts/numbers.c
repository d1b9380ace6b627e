/* clew test
 * branches: 10 of 10
 * bug: signed-overflow 25
 * bug: assertion 61
 * precondition: add: a and b are small enough not to overflow
 * precondition: grow: size is small enough not to overflow
 * precondition: level: x is finite
 * precondition: take: box != NULL
 * precondition: take: n <= left holds when take is called
 * precondition: put: box != NULL
 *
 * Sums of numbers that a function takes as they are, and sizes of memory that no machine has, are a matter of its callers; so is a number that an assertion
 * wants to be finite, or compares with what the function is given.  What a function has asked about, and what it asserts of its own work, is its own. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

int add(int a, int b)
{
    return a + b;
}

int next(int a)
{
    return a > 0 ? a + 1 : 0;
}

int *grow(size_t size)
{
    int *memory = malloc(size * 8 + 8);
    if (memory) memory[0] = 1;
    return memory;
}

static int is_high(double x)
{
    assert(!isnan(x));
    return x > 3;
}

int level(double x)
{
    return is_high(2 * x);
}

struct box {
    int room, used;
};

void take(struct box *box, int n)
{
    int left = box->used;
    assert(n <= left);
    box->room = n;
}

void put(struct box *box, int n)
{
    box->used = n / 2;
    int left = box->used;
    assert(n <= left + 1);
}
