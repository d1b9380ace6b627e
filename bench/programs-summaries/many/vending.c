/* A vending machine whose state is in globals. */
#include <clew.h>

#define STEPS 6

enum mode { IDLE, PAYING, SELECTING, SERVICE };
static enum mode mode = IDLE;
static int credit, stock = 3, sold, errors;

static void insert_coin(int coin)
{
    if (coin != 5 && coin != 10 && coin != 20) {
        errors++;
        return;
    }
    credit += coin;
    if (mode == IDLE) mode = PAYING;
    if (credit >= 25) mode = SELECTING;
}

static void press_button(void)
{
    if (mode != SELECTING) {
        errors++;
        return;
    }
    if (stock == 0) {
        credit = 0;
        mode = IDLE;
        return;
    }
    stock--;
    sold++;
    credit -= 25;
    mode = credit > 0 ? PAYING : IDLE;
}

static void turn_key(void)
{
    if (mode == SERVICE) {
        mode = IDLE;
        stock = 3;
    } else if (mode == IDLE) {
        mode = SERVICE;
    } else {
        errors++;
    }
}

static void handle(char command)
{
    switch (command) {
    case '5': insert_coin(5); break;
    case 't': insert_coin(10); break;
    case 'T': insert_coin(20); break;
    case 'b': press_button(); break;
    case 'k': turn_key(); break;
    default: errors++;
    }
}

int main(void)
{
    char commands[STEPS];
    clew_make_symbolic(commands, STEPS, "commands");
    for (int i = 0; i < STEPS; i++) {
        handle(commands[i]);
        if (errors > 2) return 1;
    }
    clew_assert(credit >= 0);
    clew_assert(sold < 2);
    return mode;
}
