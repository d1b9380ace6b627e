/* clew test
 * branches: 6 of 6
 * bug: division-by-zero 20
 * tests: at most 2
 *
 * Evaluates an expression tree; an operand that is missing counts as zero. */
struct expression {
    char operator;
    unsigned value;
    struct expression *left, *right;
};

unsigned evaluate(const struct expression *e)
{
    if (!e) return 0;
    unsigned left = evaluate(e->left), right = evaluate(e->right);
    switch (e->operator) {
    case '+': return left + right;
    case '*': return left * right;
    case '/': return left / right;
    default: return e->value;
    }
}
