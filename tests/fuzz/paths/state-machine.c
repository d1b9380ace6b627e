/* inputs: 4 4
 * A small machine that runs over the bits of its inputs. */
enum state { START, NUMBER, SIGN, END };
static enum state state;
static int value;

static void step(int symbol)
{
    switch (state) {
    case START: state = symbol ? SIGN : NUMBER; break;
    case SIGN: state = symbol ? END : NUMBER; break;
    case NUMBER:
        value = value * 2 + symbol;
        if (value > 4) state = END;
        break;
    case END: break;
    }
}

int test(unsigned a, unsigned b)
{
    state = START;
    value = 0;
    for (int i = 0; i < 4; i++) {
        step(a >> i & 1);
        step(b >> i & 1);
    }
    return (int)state * 100 + value;
}
