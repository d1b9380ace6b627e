/* clew test
 * branches: 72 of 90
 * infeasible: 35 true
 * infeasible: 43 true
 * infeasible: 44 true
 * infeasible: 53 true
 * infeasible: 54 true
 * infeasible: 67 false
 * infeasible: 68 true
 * infeasible: 69 true
 * infeasible: 78 default
 * infeasible: 92 true
 * infeasible: 120 true
 * infeasible: 121 true
 * infeasible: 122 false
 * infeasible: 123 false
 * infeasible: 124 true
 * infeasible: 125 true
 * infeasible: 126 true
 * infeasible: 127 true
 *
 * A server's session with log-in, encryption and transfer: flags and counters are tied to the state, failed log-ins close the session, and
 * commands are refused outside of their state. The checks of these ties never fail. */
extern int __VERIFIER_nondet_int(void);

enum state { CLOSED, GREETING, NEGOTIATE, LOGIN, SHELL, TRANSFER, LOGOUT };
enum command { CMD_CONNECT, CMD_HELLO, CMD_CIPHER, CMD_USER, CMD_OPEN, CMD_DATA, CMD_END, CMD_QUIT };

static enum state state = CLOSED;
static int encrypted, authenticated, failures, files_open, window, version;
static unsigned bytes, sessions;

static void close_session(void)
{
    if (state == CLOSED) __builtin_trap();
    state = CLOSED;
    encrypted = authenticated = failures = files_open = window = 0;
    version = 0;
}

static int on_cipher(int argument)
{
    if (encrypted) return -1;
    if (version < 1) return -2;
    if (argument == 0) return 0;
    encrypted = version == 2 ? 2 : 1;
    state = LOGIN;
    return 1;
}

static int on_user(int argument)
{
    if (authenticated) return -1;
    if (failures > 2) return -2;
    if (argument == 1234) {
        authenticated = 1;
        state = SHELL;
        return 1;
    }
    failures++;
    if (failures == 3) close_session();
    return 0;
}

static int on_data(int argument)
{
    if (!authenticated) return -1;
    if (files_open != 1) return -2;
    if (window <= 0) return -3;
    window--;
    bytes += (unsigned)argument & 0xff;
    if (window == 0) state = LOGOUT;
    return 1;
}

static int step(enum command command, int argument)
{
    switch (state) {
    case CLOSED:
        if (command != CMD_CONNECT) return 0;
        if (sessions < 9) sessions++;
        state = GREETING;
        return 1;
    case GREETING:
        if (command != CMD_HELLO) return 0;
        version = argument > 1 ? 2 : 1;
        state = NEGOTIATE;
        return 1;
    case NEGOTIATE: return command == CMD_CIPHER ? on_cipher(argument) : 0;
    case LOGIN: return command == CMD_USER ? on_user(argument) : 0;
    case SHELL:
        if (failures == 3) return -4;
        if (command == CMD_QUIT) {
            state = LOGOUT;
            return 1;
        }
        if (command != CMD_OPEN) return 0;
        files_open = 1;
        window = 3;
        state = TRANSFER;
        return 1;
    case TRANSFER:
        if (command == CMD_DATA) return on_data(argument);
        if (command != CMD_END) return 0;
        files_open = 0;
        state = SHELL;
        return 1;
    case LOGOUT:
        close_session();
        return 1;
    }
    return -5;
}

int main(void)
{
    while (1) {
        int command = __VERIFIER_nondet_int() & 7;
        int result = step((enum command)command, __VERIFIER_nondet_int());
        if (result < 0) return 1;
        if (state == CLOSED && encrypted) return 2;
        if (state == SHELL && !authenticated) return 3;
        if (authenticated && !encrypted) return 4;
        if (encrypted == 2 && version != 2) return 5;
        if (state == TRANSFER && window == 0) return 6;
        if (state == LOGIN && failures > 2) return 7;
        if (sessions == 0 && state != CLOSED) return 8;
        if (bytes > 700 && sessions > 1) return 9;
    }
}
