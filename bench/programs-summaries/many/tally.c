/* Amounts are counted by class; the loop decides again on what the classifying function has found. */
#include <clew.h>

enum { COUNT = 6 };

typedef enum Class { DEBT, SMALL, MEDIUM, LARGE, HUGE } Class;

static Class classify(int amount)
{
    if (amount < 0) return DEBT;
    if (amount < 10) return SMALL;
    if (amount < 100) return MEDIUM;
    if (amount < 1000) return LARGE;
    return HUGE;
}

typedef struct Tally {
    int debts, small, medium, large, huge;
} Tally;

static int risk_of(const Tally *tally)
{
    if (tally->debts > 3) return 3;
    if (tally->huge > 2 && tally->debts > 0) return 2;
    return tally->large + tally->huge > tally->small ? 1 : 0;
}

int main(void)
{
    int amounts[COUNT];
    for (int i = 0; i < COUNT; i++) amounts[i] = clew_int("amount");
    Tally tally = {0};
    for (int i = 0; i < COUNT; i++) {
        switch (classify(amounts[i])) {
        case DEBT: tally.debts++; break;
        case SMALL: tally.small++; break;
        case MEDIUM: tally.medium++; break;
        case LARGE: tally.large++; break;
        case HUGE: tally.huge++; break;
        }
    }
    clew_assert(!(tally.debts == 2 && tally.huge == 2 && tally.medium == 1));
    return risk_of(&tally);
}
