/* Seven numbers are sorted by exchanging neighbours. */
#include <clew.h>

enum { COUNT = 7 };

static void put_in_order(int *a, int *b)
{
    if (*a <= *b) return;
    int kept = *a;
    *a = *b;
    *b = kept;
}

static void sort(int *numbers, int count)
{
    for (int end = count; end > 1; end--) {
        for (int i = 0; i + 1 < end; i++) put_in_order(&numbers[i], &numbers[i + 1]);
    }
}

static int is_sorted(const int *numbers, int count)
{
    for (int i = 0; i + 1 < count; i++) {
        if (numbers[i] > numbers[i + 1]) return 0;
    }
    return 1;
}

int main(void)
{
    int numbers[COUNT];
    for (int i = 0; i < COUNT; i++) numbers[i] = clew_int("number");
    sort(numbers, COUNT);
    clew_assert(is_sorted(numbers, COUNT));
    return numbers[0] < 0 ? 1 : 0;
}
