/* Dominators, loops and callees on flow graphs drawn by hand. */
#include "program/program.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#define END UINT32_MAX

/* A function of one-instruction blocks: block i jumps to yes[i], or branches to yes[i] and no[i], or returns if yes[i] is END. */
static Program *draw(uint32_t n, const uint32_t *yes, const uint32_t *no)
{
    Program *p = mem_alloc(sizeof *p);
    p->functions = arena_alloc(&p->arena, sizeof *p->functions);
    p->function_count = 1;
    p->symbols = arena_alloc(&p->arena, 2 * sizeof *p->symbols);
    p->symbols[1] = (Symbol){SYMBOL_FUNCTION, 0, 0};
    p->symbol_count = 2;
    p->consts = arena_alloc(&p->arena, sizeof *p->consts);
    p->consts[0] = (Const){.width = 1};
    p->const_count = 1;
    p->locs = arena_alloc(&p->arena, sizeof *p->locs);
    p->loc_count = 1;
    p->branches = arena_alloc(&p->arena, 2 * n * sizeof *p->branches);
    Function *f = p->functions;
    *f = (Function){.name = "f", .file = "", .symbol = 1, .defined = true, .code_count = n, .block_count = n};
    f->code = arena_alloc(&p->arena, n * sizeof *f->code);
    f->blocks = arena_alloc(&p->arena, n * sizeof *f->blocks);
    f->branches = arena_alloc(&p->arena, n * sizeof *f->branches);
    for (uint32_t i = 0; i < n; i++) {
        f->blocks[i] = (Block){.first = i, .count = 1};
        f->code[i] = (Instr){.op = OP_JUMP, .dst = OPERAND_NONE, .a = OPERAND_NONE, .b = OPERAND_NONE, .c = OPERAND_NONE, .imm = yes[i]};
        if (yes[i] == END) f->code[i].op = OP_RETURN;
        if (no[i] == END || yes[i] == END) continue;
        f->code[i].op = OP_BRANCH;
        f->code[i].a = OPERAND_CONST;
        f->code[i].imm = f->branch_count;
        f->branches[f->branch_count++] = (CondBranch){yes[i], no[i], p->branch_count};
        p->branches[p->branch_count++] = (Branch){.block = i, .target = yes[i], .outcome = OUTCOME_TRUE};
        p->branches[p->branch_count++] = (Branch){.block = i, .target = no[i], .outcome = OUTCOME_FALSE};
    }
    program_analyse(p);
    program_check(p);
    return p;
}

static void diamond(void **state)
{
    (void)state;
    Program *p = draw(4, (uint32_t[]){1, 3, 3, END}, (uint32_t[]){2, END, END, END});
    const Function *f = p->functions;
    assert_int_equal(f->blocks[3].idom, 0);
    assert_int_equal(f->blocks[1].idom, 0);
    assert_int_equal(f->blocks[3].predecessor_count, 2);
    assert_int_equal(f->loop_count, 0);
    program_free(p);
}

static void nested_loops(void **state)
{
    (void)state;
    /* 0 -> 1; 1: outer head -> 2 or 5; 2: inner head -> 3 or 4; 3 -> 2; 4 -> 1; 5: end */
    Program *p = draw(6, (uint32_t[]){1, 2, 3, 2, 1, END}, (uint32_t[]){END, 5, 4, END, END, END});
    const Function *f = p->functions;
    assert_int_equal(f->loop_count, 2);
    const Loop *inner = &f->loops[f->blocks[3].loop], *outer = &f->loops[f->blocks[4].loop];
    assert_int_equal(inner->header, 2);
    assert_int_equal(inner->depth, 2);
    assert_ptr_equal(&f->loops[inner->parent], outer);
    assert_int_equal(inner->block_count, 2);
    assert_int_equal(outer->header, 1);
    assert_int_equal(outer->block_count, 4);
    assert_int_equal(outer->parent, UINT32_MAX);
    assert_int_equal(f->blocks[5].loop, UINT32_MAX);
    assert_int_equal(f->blocks[4].idom, 2);
    program_free(p);
}

static void two_back_edges_make_one_loop(void **state)
{
    (void)state;
    Program *p = draw(4, (uint32_t[]){1, 0, 0, END}, (uint32_t[]){2, 3, END, END});
    const Function *f = p->functions;
    assert_int_equal(f->loop_count, 1);
    assert_int_equal(f->loops[0].block_count, 3);
    program_free(p);
}

static void irreducible_cycles_are_no_loops(void **state)
{
    (void)state;
    Program *p = draw(4, (uint32_t[]){1, 2, 1, END}, (uint32_t[]){2, END, 3, END});
    const Function *f = p->functions;
    assert_int_equal(f->loop_count, 0);
    assert_int_equal(f->blocks[1].idom, 0);
    assert_int_equal(f->blocks[2].idom, 0);
    assert_int_equal(f->blocks[3].idom, 2);
    program_free(p);
}

static void unreachable_blocks_stand_alone(void **state)
{
    (void)state;
    Program *p = draw(4, (uint32_t[]){3, 2, 1, END}, (uint32_t[]){END, END, 3, END});
    const Function *f = p->functions;
    assert_int_equal(f->blocks[1].idom, 1);
    assert_int_equal(f->blocks[2].idom, 2);
    assert_int_equal(f->blocks[3].idom, 0);
    assert_int_equal(f->loop_count, 0);
    program_free(p);
}

static void long_chains(void **state)
{
    (void)state;
    enum { N = 200000 };
    uint32_t *yes = mem_alloc(N * sizeof *yes), *no = mem_alloc(N * sizeof *no);
    for (uint32_t i = 0; i < N; i++) {
        yes[i] = i + 1 < N ? i + 1 : END;
        no[i] = END;
    }
    Program *p = draw(N, yes, no);
    assert_int_equal(p->functions[0].blocks[N - 1].idom, N - 2);
    program_free(p);
    free(yes);
    free(no);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diamond),
        cmocka_unit_test(nested_loops),
        cmocka_unit_test(two_back_edges_make_one_loop),
        cmocka_unit_test(irreducible_cycles_are_no_loops),
        cmocka_unit_test(unreachable_blocks_stand_alone),
        cmocka_unit_test(long_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
