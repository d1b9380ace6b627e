/* A machine with a stack and five instructions, over a program of seven bytes. */
#include <clew.h>
#include <stdbool.h>

enum { DEPTH = 4, LENGTH = 7 };

typedef enum Fault { NONE, OVERFLOW, UNDERFLOW, ILLEGAL } Fault;

typedef struct Machine {
    int stack[DEPTH];
    int count;
    Fault fault;
} Machine;

static void push(Machine *machine, int value)
{
    if (machine->count == DEPTH) machine->fault = OVERFLOW;
    else machine->stack[machine->count++] = value;
}

static int pop(Machine *machine)
{
    if (machine->count == 0) {
        machine->fault = UNDERFLOW;
        return 0;
    }
    return machine->stack[--machine->count];
}

static void execute_one(Machine *machine, unsigned char code)
{
    if (code < 100) {
        push(machine, code);
        return;
    }
    int a, b;
    switch (code) {
    case 100:
        a = pop(machine), b = pop(machine);
        push(machine, a + b);
        break;
    case 101:
        a = pop(machine), b = pop(machine);
        push(machine, b - a);
        break;
    case 102:
        a = pop(machine);
        push(machine, a);
        push(machine, a);
        break;
    case 103:
        a = pop(machine), b = pop(machine);
        push(machine, a < b);
        break;
    case 104: pop(machine); break;
    default: machine->fault = ILLEGAL; break;
    }
}

int main(void)
{
    unsigned char program[LENGTH];
    clew_make_symbolic(program, LENGTH, "program");
    Machine machine = {0};
    for (int i = 0; i < LENGTH && machine.fault == NONE; i++) execute_one(&machine, program[i]);
    if (machine.fault != NONE) return machine.fault;
    if (machine.count == 0) return 4;
    clew_assert(machine.stack[machine.count - 1] != 187);
    return 0;
}
