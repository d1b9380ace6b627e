/* clew test
 * branches: 29 of 30
 * infeasible: 36 true
 * proved: at least 0
 *
 * A parser with counters: numbers and operators must alternate, 15 numbers within a depth of 5. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int numbers = 0, operators = 0, depth = 0, deepest = 0;
    int after_number = 0;
    for (;;) {
        int token = __VERIFIER_nondet_int();
        if (token == '9') {
            if (after_number) return 1;
            numbers++;
            after_number = 1;
        } else if (token == '+') {
            if (!after_number) return 2;
            operators++;
            after_number = 0;
        } else if (token == '(') {
            if (after_number) return 3;
            depth++;
            if (depth > deepest) deepest = depth;
        } else if (token == ')') {
            if (!after_number || depth == 0) return 4;
            depth--;
        } else {
            break;
        }
    }
    if (depth != 0 || !after_number) return 5;
    if (numbers == 15 && deepest == 5) return 6;
    if (operators >= numbers) return 7;
    return 0;
}
