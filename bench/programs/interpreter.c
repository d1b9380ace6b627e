/* A small bytecode interpreter running a program with loops: an interpreter inside the interpreter. */
#include <stdio.h>

enum op { SET, MOVE, ADD, SUB, MUL, MOD, LESS, JUMP, BRANCH, LOAD, STORE, HALT };
struct code {
    unsigned char op, a, b, c;
    int value;
};

static long memory[1024];

static long run(const struct code *code)
{
    long r[16] = {0}, steps = 0;
    for (int pc = 0;; steps++) {
        const struct code *i = &code[pc++];
        switch (i->op) {
        case SET: r[i->a] = i->value; break;
        case MOVE: r[i->a] = r[i->b]; break;
        case ADD: r[i->a] = r[i->b] + r[i->c]; break;
        case SUB: r[i->a] = r[i->b] - r[i->c]; break;
        case MUL: r[i->a] = r[i->b] * r[i->c]; break;
        case MOD: r[i->a] = r[i->b] % r[i->c]; break;
        case LESS: r[i->a] = r[i->b] < r[i->c]; break;
        case JUMP: pc = i->value; break;
        case BRANCH:
            if (r[i->a]) pc = i->value;
            break;
        case LOAD: r[i->a] = memory[r[i->b] & 1023]; break;
        case STORE: memory[r[i->a] & 1023] = r[i->b]; break;
        case HALT: printf("%ld %ld\n", r[0], steps); return r[0];
        }
    }
}

int main(void)
{
    /* for (i = 0; i < 12000000; i++) { x = (x * 31 + i) % 65521; memory[x] = memory[i] + x; sum = sum + memory[x]; } */
    static const struct code program[] = {
        {SET, 1, 0, 0, 0},   {SET, 2, 0, 0, 12000000}, {SET, 3, 0, 0, 1}, {SET, 4, 0, 0, 31}, {SET, 5, 0, 0, 65521}, {SET, 6, 0, 0, 7},
        {MUL, 6, 6, 4, 0},   {ADD, 6, 6, 1, 0},        {MOD, 6, 6, 5, 0}, {LOAD, 7, 1, 0, 0}, {ADD, 7, 7, 6, 0},     {MOD, 7, 7, 5, 0},
        {STORE, 6, 7, 0, 0}, {ADD, 0, 0, 7, 0},        {ADD, 1, 1, 3, 0}, {LESS, 8, 1, 2, 0}, {BRANCH, 8, 0, 0, 6},  {HALT, 0, 0, 0, 0},
    };
    return run(program) == 0;
}
