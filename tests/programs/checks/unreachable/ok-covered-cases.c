/* clew run
 * exit: 0
 */
enum color { RED, GREEN, BLUE };

static int value(enum color c)
{
    switch (c) {
    case RED: return 1;
    case GREEN: return 2;
    case BLUE: return 4;
    }
    __builtin_unreachable();
}

int main(void)
{
    return value(RED) + value(GREEN) + value(BLUE) - 7;
}
