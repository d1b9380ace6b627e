/* clew test
 * branches: 38 of 38
 *
 * Feasible: bounds that are missed by one. Loops that include their end, an index that rests behind the last element, and a search that
 * finds nothing reach the branches for what lies outside. */
extern int __VERIFIER_nondet_int(void);

#define SIZE 6
static int slots[SIZE], filled;

static int get(int i)
{
    if (i < 0) return -1;
    if (i >= SIZE) return -2;
    return slots[i];
}

static int find(int wanted)
{
    int i = 0;
    while (i < SIZE && slots[i] != wanted) i++;
    if (i == SIZE) return SIZE;
    return i;
}

static int sum(int first, int count)
{
    int total = 0;
    for (int i = first; i <= first + count; i++) {
        int value = get(i);
        if (value == -2) return -2;
        total += value;
    }
    return total;
}

static int previous(int i)
{
    return get(i - 1);
}

int main(void)
{
    for (int i = 0; i < SIZE; i++) {
        int value = __VERIFIER_nondet_int();
        if (value < 0 || value > 50) break;
        slots[i] = value;
        filled = i + 1;
    }
    if (filled == SIZE) filled = SIZE + 1;
    if (filled > SIZE) filled = SIZE;
    int at = find(__VERIFIER_nondet_int());
    if (at > SIZE - 1) return 1;
    if (sum(0, filled) < 0) return 2;
    if (previous(at) < 0) return 3;
    int length = __VERIFIER_nondet_int() % SIZE;
    if (length < 0) return 4;
    if (length + 1 == SIZE) return 5;
    int last = slots[length + 1];
    if (length == 2 && last > 49) return 6;
    return 0;
}
