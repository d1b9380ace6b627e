/* clew test --work 4000
 * branches: 74 of 74
 * covered: at least 45
 *
 * A modem's command line: commands that begin with AT, a data mode, and the escape +++ between two guard times without characters.
 * What makes it hard is that the guard times need 20 turns each in which the serial line gives nothing. */
extern int uart_receive(void);

enum mode { COMMAND, DIALLING, DATA };
enum { GUARD = 20, LINE = 10 };

static enum mode mode = COMMAND;
static char line[LINE];
static int length, echo = 1, quiet, pluses;
static unsigned volume;

static int starts_with(const char *word)
{
    for (int i = 0; word[i]; i++) {
        if (i >= length || line[i] != word[i]) return 0;
    }
    return 1;
}

static void execute(void)
{
    if (!starts_with("AT")) return;
    if (length == 2) return;
    switch (line[2]) {
    case 'E':
        if (length == 4 && (line[3] == '0' || line[3] == '1')) echo = line[3] - '0';
        break;
    case 'L':
        if (length == 4 && line[3] >= '0' && line[3] <= '3') volume = (unsigned)(line[3] - '0');
        break;
    case 'D':
        if (length == 8 && line[3] == 'T') mode = DIALLING;
        break;
    case 'O':
        if (length == 3 && volume == 2 && !echo) mode = DATA;
        break;
    default:
        echo = 1;
    }
}

static void command_byte(int byte)
{
    if (byte == '\r') {
        execute();
        length = 0;
    } else if (byte == '\b') {
        if (length > 0) length--;
    } else if (length < LINE) {
        line[length++] = (char)byte;
    }
}

static void data_turn(int byte)
{
    if (byte < 0) {
        if (quiet < GUARD) quiet++;
        if (quiet == GUARD && pluses == 3) {
            mode = COMMAND;
            pluses = 0;
        }
        return;
    }
    if (byte == '+' && (pluses > 0 || quiet == GUARD)) {
        pluses = pluses < 3 ? pluses + 1 : 0;
    } else {
        pluses = 0;
    }
    quiet = 0;
}

int main(void)
{
    int ringing = 0;
    while (1) {
        int byte = uart_receive();
        if (byte > 255) continue;
        switch (mode) {
        case COMMAND:
            if (byte >= 0) command_byte(byte);
            break;
        case DIALLING:
            if (byte == 'X') mode = COMMAND;
            else if (++ringing == 60) mode = DATA;
            if (mode != DIALLING) ringing = 0;
            break;
        default:
            data_turn(byte);
        }
    }
}
