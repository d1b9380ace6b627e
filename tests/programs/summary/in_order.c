/* clew explore --summaries
 * seeds: 2
 * variants: -DCOUNT=4 -DCOUNT=8
 * branches: 18 of 20
 * paths: 3
 * complete: yes
 *
 * The merged result of a sorting network: nothing but the order of the numbers matters, so a few bits decide it. */
#include <clew.h>

static void put_in_order(int *a, int *b)
{
    if (*a <= *b) return;
    int kept = *a;
    *a = *b;
    *b = kept;
}

static int is_sorted(const int *numbers)
{
    for (int i = 0; i + 1 < COUNT; i++)
        if (numbers[i] > numbers[i + 1]) return 0;
    return 1;
}

int main(void)
{
    int numbers[COUNT];
    for (int i = 0; i < COUNT; i++) numbers[i] = clew_int("number");
    for (int end = COUNT; end > 1; end--)
        for (int i = 0; i + 1 < end; i++) put_in_order(&numbers[i], &numbers[i + 1]);
    if (!is_sorted(numbers)) return 3;
    return numbers[0] == 17 && numbers[1] > 100 ? 1 : 0;
}
