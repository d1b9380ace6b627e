/* Is a function still the one that was summarised?
 *
 * The hash is over what the machine executes: the function's code, that of all functions it may come to by direct calls, and the constant data that any
 * of these name.  Everything is hashed as what it stands for, so that an edit of another function, which moves places, branch numbers, constants
 * and symbols, changes nothing.  Functions and data are hashed one by one and the hashes sorted, so recursion needs no care, and the order in which calls
 * are met does not matter.  Data that can be written is an input of the summary: of it only name and size count.
 * The compiler numbers string literals and static functions of one name through the file.  Literals count by what is in them; a function that names a
 * static function whose number has changed counts as changed.
 *
 * Of a unit everything counts that its calls may come to: initial values of data that can be written, and functions whose addresses are named there, which
 * computed calls may lead to. */
#include "summary/summary.h"

#include <stdlib.h>

enum { FORMAT = 3 /* of the hash and of what summaries_save writes */ };

typedef struct Hasher {
    const Program *program;
    Map seen;             /* symbols: kind and index */
    Vec(Symbol) waiting;  /* to be hashed */
    Vec(uint64_t) hashes; /* of the rest */
    StrBuf bytes;         /* of the one at hand */
    bool whole;           /* of a unit */
    bool unknown;         /* there is a computed call, and it is not known where it leads */
} Hasher;

/* ---- bytes ---- */

static void add_number(Hasher *h, uint64_t value)
{
    strbuf_add_bytes(&h->bytes, &value, sizeof value);
}

static void add_wide(Hasher *h, U128 value)
{
    strbuf_add_bytes(&h->bytes, &value, sizeof value);
}

static void add_text(Hasher *h, const char *text)
{
    strbuf_add_bytes(&h->bytes, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* ---- names ---- */

static void wait_for(Hasher *h, SymbolKind kind, uint32_t index)
{
    uint64_t key = (uint64_t)kind << 32 | index;
    if (map_find(&h->seen, key)) return;
    map_put(&h->seen, key, 1);
    vec_push(&h->waiting, ((Symbol){.kind = kind, .index = index}));
}

/* A string literal: nobody can tell it from another one that has the same bytes. */
static bool is_literal(const Global *g)
{
    return g->constant && g->defined && g->bytes && !g->reloc_count && strncmp(g->name, ".str", 4) == 0;
}

static void add_named_global(Hasher *h, uint32_t index)
{
    const Global *g = &h->program->globals[index];
    if (is_literal(g)) {
        add_number(h, g->size);
        strbuf_add_bytes(&h->bytes, g->bytes, g->size);
        return;
    }
    add_text(h, g->name);
    wait_for(h, SYMBOL_GLOBAL, index);
}

/* A function whose address is taken is not thereby called; it is only named, except in a unit. */
static void add_symbol(Hasher *h, uint32_t index)
{
    const Symbol *symbol = &h->program->symbols[index];
    add_number(h, symbol->kind);
    switch (symbol->kind) {
    case SYMBOL_NONE: break;
    case SYMBOL_LABEL: add_number(h, symbol->block); /* fall through */
    case SYMBOL_FUNCTION:
        add_text(h, h->program->functions[symbol->index].name);
        if (h->whole) wait_for(h, SYMBOL_FUNCTION, symbol->index);
        break;
    case SYMBOL_GLOBAL: add_named_global(h, symbol->index); break;
    }
}

static void add_const(Hasher *h, uint32_t index)
{
    const Const *constant = &h->program->consts[index];
    add_number(h, (uint64_t)constant->width << 1 | constant->undef);
    add_wide(h, constant->value);
    add_symbol(h, constant->symbol);
    add_symbol(h, constant->minus);
}

static void add_operand(Hasher *h, Operand operand)
{
    bool is_const = operand_is_const(operand);
    add_number(h, is_const ? OPERAND_CONST : operand);
    if (is_const) add_const(h, operand_index(operand));
}

/* ---- code ---- */

static void add_scalar(Hasher *h, Scalar scalar)
{
    add_number(h, (uint64_t)scalar.kind << 40 | (uint64_t)scalar.sign << 32 | (uint64_t)scalar.width << 16 | scalar.lanes);
}

static void add_call(Hasher *h, const CallSite *site)
{
    if (site->callee == UINT32_MAX) {
        h->unknown |= !h->whole;
        if (h->unknown) return;
    } else {
        add_text(h, h->program->functions[site->callee].name);
        wait_for(h, SYMBOL_FUNCTION, site->callee);
    }
    add_number(h, (uint64_t)site->fixed_count << 1 | site->variadic);
    add_number(h, site->argument_count);
    for (uint32_t i = 0; i < site->argument_count; i++) {
        add_operand(h, site->arguments[i].value);
        add_scalar(h, site->arguments[i].type);
        add_number(h, site->arguments[i].byval_size);
        add_number(h, site->arguments[i].byval_align);
    }
    add_number(h, site->result_count);
    for (uint32_t i = 0; i < site->result_count; i++) add_scalar(h, site->results[i]);
}

static void add_switch(Hasher *h, const Switch *s)
{
    add_number(h, s->case_count);
    for (uint32_t i = 0; i < s->case_count; i++) {
        add_wide(h, s->cases[i].value);
        add_number(h, s->cases[i].block);
    }
    add_number(h, s->default_block);
}

/* What `imm` stands for. */
static void add_details(Hasher *h, const Function *f, const Instr *instr)
{
    switch (instr->op) {
    case OP_SELECT: add_number(h, instr->imm >= 0); break;
    case OP_CALL: add_call(h, &f->calls[instr->imm]); break;
    case OP_BRANCH:
        add_number(h, f->branches[instr->imm].yes);
        add_number(h, f->branches[instr->imm].no);
        break;
    case OP_SWITCH: add_switch(h, &f->switches[instr->imm]); break;
    case OP_TRAP: add_text(h, h->program->messages[instr->imm]); break;
    default: add_number(h, (uint64_t)instr->imm); break;
    }
}

static void add_instr(Hasher *h, const Function *f, const Instr *instr)
{
    add_number(h, (uint64_t)instr->op << 24 | (uint64_t)instr->flags << 16 | instr->predicate);
    add_number(h, (uint64_t)instr->width << 16 | instr->width2);
    add_number(h, instr->dst);
    add_operand(h, instr->a);
    add_operand(h, instr->b);
    if (instr->op == OP_TRAP) add_number(h, instr->c); /* a block */
    else add_operand(h, instr->c);
    add_details(h, f, instr);
}

static void add_signature(Hasher *h, const Function *f)
{
    add_text(h, f->name);
    add_number(h, (uint64_t)f->defined | (uint64_t)f->variadic << 1 | (uint64_t)f->in_model << 2 | (uint64_t)f->weak << 3 |
                      (uint64_t)f->noreturn << 4 | (uint64_t)f->concrete << 5);
    add_number(h, f->param_count);
    for (uint32_t i = 0; i < f->param_count; i++) {
        add_text(h, f->params[i].name);
        add_scalar(h, f->params[i].type);
        add_number(h, f->params[i].reg);
        add_number(h, f->params[i].byval_size);
        add_number(h, f->params[i].byval_align);
    }
    add_number(h, f->result_count);
    for (uint32_t i = 0; i < f->result_count; i++) add_scalar(h, f->results[i]);
    add_number(h, f->partition_count);
    for (uint32_t i = 0; i < f->partition_count; i++) add_text(h, f->partitions[i]);
}

static void add_function(Hasher *h, const Function *f)
{
    add_signature(h, f);
    if (!f->defined) return;
    add_number(h, f->register_count);
    add_number(h, f->block_count);
    for (uint32_t i = 0; i < f->block_count; i++) {
        add_number(h, f->blocks[i].count);
        for (uint32_t k = 0; k < f->blocks[i].count; k++) add_instr(h, f, &f->code[f->blocks[i].first + k]);
    }
}

/* ---- data ---- */

static void add_global(Hasher *h, const Global *g)
{
    bool fixed = (g->constant || h->whole) && g->defined;
    add_text(h, g->name);
    add_number(h, g->size);
    add_number(h, (uint64_t)fixed | (uint64_t)g->thread_local_ << 1);
    if (!fixed) return;
    add_number(h, g->bytes != NULL);
    if (g->bytes) strbuf_add_bytes(&h->bytes, g->bytes, g->size);
    add_number(h, g->reloc_count);
    for (uint32_t i = 0; i < g->reloc_count; i++) {
        add_number(h, g->relocs[i].offset);
        add_const(h, g->relocs[i].value);
    }
}

/* ---- the whole ---- */

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t hash_one(Hasher *h, Symbol item)
{
    strbuf_clear(&h->bytes);
    add_number(h, item.kind);
    if (item.kind == SYMBOL_FUNCTION) add_function(h, &h->program->functions[item.index]);
    else add_global(h, &h->program->globals[item.index]);
    return hash_bytes(h->bytes.text, h->bytes.len);
}

static uint64_t hash_all(Hasher *h, uint64_t first)
{
    if (h->hashes.len > 1) qsort(h->hashes.data, h->hashes.len, sizeof *h->hashes.data, compare);
    strbuf_clear(&h->bytes);
    add_number(h, FORMAT);
    add_number(h, first);
    for (uint32_t i = 0; i < h->hashes.len; i++) add_number(h, h->hashes.data[i]);
    uint64_t hash = hash_bytes(h->bytes.text, h->bytes.len);
    return hash ? hash : 1;
}

static uint64_t hash_reached(const Program *program, uint32_t function, bool whole)
{
    Hasher h = {.program = program, .whole = whole};
    REQUIRE(function < program->function_count, "there is no such function");
    wait_for(&h, SYMBOL_FUNCTION, function);
    uint64_t first = hash_one(&h, vec_pop(&h.waiting));
    while (h.waiting.len && !h.unknown) {
        Symbol item = vec_pop(&h.waiting);
        vec_push(&h.hashes, hash_one(&h, item));
    }
    uint64_t hash = h.unknown ? 0 : hash_all(&h, first);
    map_release(&h.seen);
    vec_release(&h.waiting);
    vec_release(&h.hashes);
    strbuf_release(&h.bytes);
    return hash;
}

uint64_t summary_hash(const Program *program, uint32_t function)
{
    return hash_reached(program, function, false);
}

uint64_t summary_hash_unit(const Program *program, uint32_t function)
{
    uint64_t hash = hash_reached(program, function, true);
    for (uint32_t i = 0; i < program->constructor_count; i++)
        hash = hash_mix(hash ^ hash_reached(program, program->constructors[i].function, true));
    return hash;
}
