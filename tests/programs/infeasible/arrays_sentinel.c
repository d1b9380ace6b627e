/* clew test
 * branches: 35 of 48
 * infeasible: 29 true
 * infeasible: 33 true
 * infeasible: 41 true
 * infeasible: 64 true
 * infeasible: 65 true
 * infeasible: 67 true
 * infeasible: 68 true
 * infeasible: 69 true
 * infeasible: 72 true
 * infeasible: 73 true
 * infeasible: 74 true
 * infeasible: 75 true
 * infeasible: 76 true
 * proved: at least 13
 *
 * Searches that end at a sentinel: the loops have no check of the bound, and need none, since the last element is always the sentinel. */
extern int __VERIFIER_nondet_int(void);

#define SIZE 8
static const int table[] = {3, 5, 8, 13, 21, 34, 55, -1};
static char text[SIZE + 1];

static int position(int wanted)
{
    int i = 0;
    while (table[i] != -1) {
        if (i > 6) return -2;
        if (table[i] == wanted) return i;
        i++;
    }
    if (i != 7) return -3;
    return -1;
}

static int length(void)
{
    int n = 0;
    while (text[n] != '\0') {
        if (n >= SIZE) return -1;
        n++;
    }
    return n;
}

static void fill(void)
{
    for (int i = 0; i < SIZE; i++) {
        int c = __VERIFIER_nondet_int();
        if (c < 'a' || c > 'z') {
            text[i] = '\0';
            return;
        }
        text[i] = (char)c;
    }
    text[SIZE] = '\0';
}

int main(void)
{
    fill();
    int n = length();
    if (n < 0) return 1;
    if (n > SIZE) return 2;
    for (int i = 0; i < n; i++) {
        if (text[i] < 'a') return 3;
        if (text[i] == 'A') return 4;
        if (text[i] > 'z') return 5;
    }
    int at = position(__VERIFIER_nondet_int());
    if (at < -1) return 6;
    if (at == 7) return 7;
    if (at >= 0 && table[at] < 3) return 8;
    if (at >= 0 && table[at] == 4) return 9;
    if (at >= 0 && table[at] > 55) return 10;
    return at == 6 ? 11 : n;
}
