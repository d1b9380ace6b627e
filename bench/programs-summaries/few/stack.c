/* A calculator with a stack, over three operations; nothing keeps it from popping an empty stack. */
#include <clew.h>

enum { DEPTH = 4, STEPS = 3 };

typedef struct Stack {
    int items[DEPTH];
    int count;
} Stack;

static void push(Stack *stack, int value)
{
    if (stack->count < DEPTH) stack->items[stack->count++] = value;
}

static int pop(Stack *stack)
{
    return stack->items[--stack->count];
}

static void calculate(Stack *stack, int operation)
{
    switch (operation) {
    case '+': push(stack, pop(stack) + pop(stack)); break;
    case 'd': push(stack, stack->items[stack->count - 1]); break;
    case 'n': push(stack, -pop(stack)); break;
    default: push(stack, 1); break;
    }
}

int main(void)
{
    Stack stack = {{1, 2}, 2};
    for (int i = 0; i < STEPS; i++) calculate(&stack, clew_char("operation"));
    return stack.count;
}
