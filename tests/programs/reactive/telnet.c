/* clew test --stdin 16
 * branches: 65 of 66
 * infeasible: 50 default
 * covered: at least 39
 *
 * The receiving side of telnet's option negotiation on standard input: commands after the byte 255, options, and sub-negotiations.
 * What makes it hard is that the answers depend on options that were negotiated before, byte by byte. */
#include <stdio.h>

enum { SE = 240, SB = 250, WILL = 251, WONT = 252, DO = 253, DONT = 254, IAC = 255 };
enum { ECHO_OPTION = 1, TERMINAL = 24, WINDOW = 31 };
enum state { TEXT, COMMAND, OPTION, SUB, SUB_COMMAND };

static enum state state = TEXT;
static int command, echo, window_agreed, terminal_agreed;
static unsigned char sub[5];
static int sub_length, width, names;

static void option(int number)
{
    switch (number) {
    case ECHO_OPTION:
        if (command == DO) echo = 1;
        else if (command == DONT) echo = 0;
        break;
    case WINDOW:
        window_agreed = command == WILL;
        break;
    case TERMINAL:
        if (command == WILL && window_agreed) terminal_agreed = 1;
        break;
    default:
        if (command == WILL || command == DO) putchar(number);
    }
}

static void sub_negotiation(void)
{
    if (sub_length == 0) return;
    if (sub[0] == WINDOW && sub_length == 3 && window_agreed) {
        width = sub[1] << 8 | sub[2];
    } else if (sub[0] == TERMINAL && terminal_agreed) {
        if (sub[1] == 0 && sub_length > 2) names++;
    }
}

/* The state is always one of the five of the enumeration, so the implicit default of the switch is never taken. */
static int byte(int c)
{
    switch (state) {
    case TEXT:
        if (c == IAC) state = COMMAND;
        else if (echo) putchar(c);
        break;
    case COMMAND:
        state = TEXT;
        if (c >= WILL && c <= DONT) {
            command = c;
            state = OPTION;
        } else if (c == SB) {
            sub_length = 0;
            sub[1] = 0;
            state = SUB;
        }
        break;
    case OPTION:
        option(c);
        state = TEXT;
        break;
    case SUB:
        if (c == IAC) state = SUB_COMMAND;
        else if (sub_length < 5) sub[sub_length++] = (unsigned char)c;
        break;
    case SUB_COMMAND:
        state = SUB;
        if (c == SE) {
            sub_negotiation();
            state = TEXT;
        } else if (c == IAC && sub_length < 5) {
            sub[sub_length++] = IAC;
        } else {
            return -1;
        }
        break;
    }
    return 0;
}

int main(void)
{
    int c;
    while ((c = getchar()) != EOF) {
        if (byte(c) < 0) return 2;
    }
    if (width == 0x0150) return 4;
    return names > 0 ? 1 : 0;
}
