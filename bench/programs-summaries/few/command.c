/* A command of four bytes: a code, two bytes of operand, and a check sum. */
#include <clew.h>
#include <stdbool.h>

enum { COMMAND_SIZE = 4 };

static bool is_checked(const unsigned char *command)
{
    unsigned sum = 0;
    for (int i = 0; i < COMMAND_SIZE; i++) sum += command[i];
    return sum % 256 == 0;
}

static int operand_of(const unsigned char *command)
{
    return command[1] << 8 | command[2];
}

static int read_register(int number)
{
    if (number >= 16) return -1;
    return number < 8 ? 0 : 1;
}

static int set_speed(int speed)
{
    if (speed > 3000) return -1;
    if (speed == 0) return 0;
    return speed < 100 ? 1 : 2;
}

static int execute(const unsigned char *command)
{
    switch (command[0]) {
    case 'R': return read_register(operand_of(command));
    case 'S': return set_speed(operand_of(command));
    case 'Q': return 3;
    default: return -1;
    }
}

int main(void)
{
    unsigned char command[COMMAND_SIZE];
    clew_make_symbolic(command, COMMAND_SIZE, "command");
    if (!is_checked(command)) return 9;
    return execute(command) + 1;
}
