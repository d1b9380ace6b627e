/* clew run
 * stdin: int main() { \x2f* a comment *\x2f return 0x1F + 'c' + "str\\"ing" ; } // end\nfloat f = 1.5e-3;
 * exit: 0
 */
#include <stdio.h>

enum state { START, WORD, ZERO, NUMBER, FRACTION, EXPONENT, HEX, SLASH, BLOCK, BLOCK_STAR, LINE, STRING, ESCAPE, CHARACTER, STATES };
static const char *const names[] = {"start", "word", "zero", "number", "fraction", "exponent", "hex", "slash", "block", "star", "line", "string", "escape", "character"};
static int visits[STATES], tokens[STATES];

static int letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int digit(int c) { return c >= '0' && c <= '9'; }

static enum state start(int c)
{
    switch (c) {
    case '0': return ZERO;
    case '1' ... '9': return NUMBER;
    case '/': return SLASH;
    case '"': return STRING;
    case '\'': return CHARACTER;
    default: return letter(c) ? WORD : START;
    }
}

static enum state next(enum state s, int c)
{
    switch (s) {
    case START: return start(c);
    case WORD: return letter(c) || digit(c) ? WORD : start(c);
    case ZERO: if (c == 'x' || c == 'X') return HEX; /* falls through */
    case NUMBER: return digit(c) ? NUMBER : c == '.' ? FRACTION : c == 'e' ? EXPONENT : start(c);
    case FRACTION: return digit(c) ? FRACTION : c == 'e' ? EXPONENT : start(c);
    case EXPONENT: return digit(c) || c == '-' || c == '+' ? EXPONENT : start(c);
    case HEX: return digit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f') ? HEX : start(c);
    case SLASH: return c == '*' ? BLOCK : c == '/' ? LINE : start(c);
    case BLOCK: return c == '*' ? BLOCK_STAR : BLOCK;
    case BLOCK_STAR: return c == '/' ? START : c == '*' ? BLOCK_STAR : BLOCK;
    case LINE: return c == '\n' ? START : LINE;
    case STRING: return c == '"' ? START : c == '\\' ? ESCAPE : STRING;
    case ESCAPE: return STRING;
    case CHARACTER: return c == '\'' ? START : CHARACTER;
    case STATES: break;
    }
    return START;
}

int main(void)
{
    enum state s = START;
    for (int c; (c = getchar()) != EOF;) {
        enum state t = next(s, c);
        visits[t]++;
        if (t != s) tokens[t]++;
        s = t;
    }
    for (int i = 0; i < STATES; i++) printf("%s %d %d\n", names[i], visits[i], tokens[i]);
    return 0;
}
