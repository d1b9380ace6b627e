/* clew test
 * branches: 142 of 144
 * infeasible: 45 false
 * infeasible: 63 true
 * covered: at least 74
 *
 * A system of event-condition-action rules over seven variables, in the manner of the RERS challenges: each turn the first rule that fits fires.
 * What makes it hard is that only certain chains of events lead to the later rules, and that the conditions are spread over all variables. */
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

enum { A = 1, B, C, D, E, F };

static int stage = 4, gate = 1, token = 0, lane = 7, load = 0, memory = 0, heat = 10;

/* The rules about lanes and gates. */
static int lane_rules(int input)
{
    if (lane == 7 && input == C && stage == 4 && load < 20) {
        lane = 9;
        load += 3;
        return 21;
    }
    if (lane == 9 && (input == A || input == E) && gate == 1) {
        gate = input;
        lane = 7;
        return 22;
    }
    if (gate == E && lane == 7 && input == B) {
        token = load > 9 ? 14 : 13;
        lane = 11;
        return 23;
    }
    if (lane == 11 && token == 14 && input == F) {
        stage = 12;
        lane = 9;
        return 24;
    }
    if (lane == 9 && stage == 12 && input == D && load % 3 == 0) {
        load -= 2;
        memory = 1;
        return 25;
    }
    /* The first rule makes the load greater before the lane can be 9. */
    if (lane == 9 && input == B && load > 0) {
        gate = 1;
        lane = stage == 12 ? 11 : 7;
        return 26;
    }
    if (lane == 11 && token == 13 && input == E) {
        token = 0;
        lane = 7;
        gate = 1;
        return 21;
    }
    return 0;
}

/* The rules about the memory, which are reached only by the answer 25. */
static int memory_rules(int input)
{
    /* The rule that sets the stage to 12 needs a load above 9. Only the rule with the answer 25 makes the load smaller, and only once. */
    if (stage == 12 && load < 10) {
        memory = 0;
        return 26;
    }
    if (memory == 1 && lane == 11 && input == D) {
        memory = 2;
        heat += 5;
        return 31;
    }
    if (memory == 2 && input == A && heat < 20) {
        memory = gate == 1 ? 3 : 0;
        heat += 7;
        return 32;
    }
    if (memory == 3 && input == A) {
        memory = 4;
        lane = 9;
        return 33;
    }
    if (memory == 4 && input == A && lane == 11) {
        memory = 5;
        return 34;
    }
    if (memory == 5 && (input == E || input == D)) {
        stage = input == E ? 4 : 5;
        token = 0;
        lane = 7;
        memory = 6;
        return 27;
    }
    if (memory == 6 && stage == 5 && input == C) {
        stage = 4;
        memory = 7;
        return 35;
    }
    return 0;
}

/* The rules about the heat, which go with every other rule. */
static int heat_rules(int input)
{
    if (heat > 25 && input == B) {
        heat -= 9;
        return 41;
    }
    if (heat < 12 && input == E && token == 14) {
        heat += 2;
        return 42;
    }
    if (heat >= 22 && heat <= 24 && input == C && memory == 7) {
        heat = 0;
        return 43;
    }
    if (heat == 0 && input == D && lane != 7 && gate == E) {
        heat = 10;
        memory = 0;
        return 44;
    }
    if (heat < 16 && input == F && memory != 1) {
        heat++;
        return 45;
    }
    return -2;
}

static int react(int input)
{
    int output = lane_rules(input);
    if (output == 0) output = memory_rules(input);
    if (output == 0) output = heat_rules(input);
    return output;
}

int main(void)
{
    int invalid = 0;
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (input < A || input > F) return 2;
        int output = react(input);
        if (output == -2) {
            if (invalid < 12) invalid++;
            if (invalid == 12) fprintf(stderr, "invalid input: %d\n", input);
            continue;
        }
        invalid = 0;
        printf("%d\n", output);
        if (output == 44 && stage == 4) return 1;
    }
}
