/* A stack machine: opcodes are inputs, underflow is checked, overflow is not. */
#include <clew.h>

#define CODE 7
#define STACK 4

enum opcode { OP_HALT, OP_PUSH1, OP_PUSH2, OP_ADD, OP_MUL, OP_DUP, OP_NEG, OP_POP };

struct vm {
    int stack[STACK];
    int top;
    int steps;
};

static int push(struct vm *vm, int v)
{
    if (vm->top > STACK) return -1; /* should be >= */
    vm->stack[vm->top++] = v;
    return 0;
}

static int pop(struct vm *vm, int *v)
{
    if (vm->top == 0) return -1;
    *v = vm->stack[--vm->top];
    return 0;
}

static int binary(struct vm *vm, int op)
{
    int a, b;
    if (pop(vm, &b) || pop(vm, &a)) return -1;
    return push(vm, op == OP_ADD ? a + b : a * b);
}

static int unary(struct vm *vm, int op)
{
    int a;
    if (pop(vm, &a)) return -1;
    if (op == OP_POP) return 0;
    if (op == OP_NEG) return push(vm, -a);
    if (push(vm, a)) return -1;
    return push(vm, a);
}

static int execute(struct vm *vm, unsigned char op)
{
    vm->steps++;
    switch (op) {
    case OP_HALT: return 1;
    case OP_PUSH1: return push(vm, 1);
    case OP_PUSH2: return push(vm, 2);
    case OP_ADD:
    case OP_MUL: return binary(vm, op);
    case OP_DUP:
    case OP_NEG:
    case OP_POP: return unary(vm, op);
    default: return -2;
    }
}

int main(void)
{
    unsigned char code[CODE];
    struct vm vm = {.top = 0};
    clew_make_symbolic(code, CODE, "code");
    for (int pc = 0; pc < CODE; pc++) {
        int rc = execute(&vm, code[pc]);
        if (rc == 1) break;
        if (rc < 0) return -rc;
    }
    if (vm.top != 1) return 3;
    clew_assert(vm.stack[0] != 12);
    return 0;
}
