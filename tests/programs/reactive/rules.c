/* clew test --time 10
 * branches: 68 of 70
 * infeasible: 41 false
 * infeasible: 53 true
 * covered: at least 41
 *
 * A system of event-condition-action rules over five variables, in the manner of the RERS challenges: each turn the first rule that fits fires.
 * What makes it hard is that only one long chain of events leads to the last rules; the conditions are spread over all variables. */
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

static int a1 = 4, a2 = 1, a3 = 0, a4 = 7, a5 = 0;

static int rules(int input)
{
    if (a4 == 7 && input == 3 && a1 == 4 && a5 < 20) {
        a4 = 9;
        a5 += 3;
        return 21;
    }
    if (a4 == 9 && (input == 1 || input == 5) && a2 == 1) {
        a2 = input;
        a4 = 7;
        return 22;
    }
    if (a2 == 5 && a4 == 7 && input == 2) {
        a3 = a5 > 9 ? 14 : 13;
        a4 = 11;
        return 23;
    }
    if (a4 == 11 && a3 == 14 && input == 6) {
        a1 = 12;
        a4 = 9;
        return 24;
    }
    if (a4 == 9 && a1 == 12 && input == 4 && a5 % 3 == 0) {
        a5 -= 2;
        return 25;
    }
    /* The first rule makes a5 greater before a4 can be 9. */
    if (a4 == 9 && input == 2 && a5 > 0) {
        a2 = 1;
        a4 = a1 == 12 ? 11 : 7;
        return 26;
    }
    if (a4 == 11 && a3 == 13 && input == 5) {
        a3 = 0;
        a4 = 7;
        a2 = 1;
        return 21;
    }
    /* The rule that sets a1 to 12 needs a5 > 9. Only the rule with the answer 25 makes a5 smaller, and only once: then a5 % 3 stays 1. */
    if (a1 == 12 && a5 < 7) {
        a4 = 0;
        return 26;
    }
    if (a4 == 11 && a1 == 12 && a2 == 1 && input == 3) {
        a1 = 4;
        a3 = 0;
        a4 = 7;
        return 27;
    }
    return -2;
}

int main(void)
{
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (input < 1 || input > 6) return 2;
        int output = rules(input);
        if (output == -2) fprintf(stderr, "invalid input: %d\n", input);
        else printf("%d\n", output);
    }
}
