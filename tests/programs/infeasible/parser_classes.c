/* clew test
 * branches: 6 of 8
 * infeasible: 17 case 4
 * infeasible: 17 default
 *
 * A tokenizer whose classes come from a table; two of its cases are never met. */
extern int __VERIFIER_nondet_int(void);

enum { BLANK, LETTER, DIGIT, OTHER, END };
static const unsigned char classes[8] = {BLANK, LETTER, DIGIT, OTHER, LETTER, LETTER, DIGIT, BLANK};

int main(void)
{
    int words = 0, numbers = 0;
    for (int i = 0; i < 3; i++) {
        int class = classes[__VERIFIER_nondet_int() & 7];
        switch (class) {
        case BLANK: break;
        case LETTER: words++; break;
        case DIGIT: numbers++; break;
        case OTHER: return 1;
        case END: return 2;
        default: return 3;
        }
    }
    return words > numbers;
}
