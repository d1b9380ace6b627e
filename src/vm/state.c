/* The state of the machine as a number of 128 bits.
 *
 * Two states with the same number have the same future: from them on the program does the same with the same inputs.  The number is made of all that the
 * program can still read, written down in an order that does not depend on addresses:
 *
 *   - the functions being executed and where they are, with those of their registers that may still be read (program_live_across);
 *   - the globals that are not constants, as far as they differ from what they were when the first number was made;
 *   - the objects that pointers found so far lead to.  A word that is the address of such an object counts as "object 3, 8 bytes from its start": objects
 *     are numbered as they are met, so it does not matter where the allocator has put them;
 *   - the other objects on the heap and the stack with their addresses, because the program may know these in another form (with a bit set, in a packed
 *     struct, as part of an expression);
 *   - expressions node by node; the inputs in them are numbered as they are met, so it does not matter when they were asked for;
 *   - the conditions of the path that say something of these inputs, directly or by way of others.
 *
 * Left out is what the program has written to its standard output and what still waits in that stream's buffer: nothing reads it again.
 *
 * Where two states differ in nothing that matters, they may still have different numbers: that costs time, not truth.  Different states could have the
 * same number, but of 128 bits that are mixed well that does not happen: among ten million states, with a probability of about 10^-25. */
#include "vm/vm_int.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_NODES = 1000,    /* of expressions: a state that depends on so many inputs is hardly met twice */
    MOST_WORDS = 1 << 17, /* of memory; states with more are not compared */
    MOST_GLOBAL_BYTES =
        8 << 20, /* a program with more has no states that are compared: going through them would take longer than its runs */
    PART_BYTES = 64,
    MOST_SPOKEN = 256,        /* open conditions: the same as for nodes */
    NODE_WORDS = 64,          /* looking at a node of an expression counts as so many words of memory, because it takes about as long */
    MOST_LIVE_WORDS = 1 << 22 /* of the sets of one function: in larger ones every register counts as read */
};

/* What is known of a call in a function. */
typedef struct CallFacts {
    uint32_t *live, count; /* registers */
    bool in_loop;
} CallFacts;

typedef struct StateGlobal {
    uint64_t address, size;
    uint8_t *before;
    bool is_users; /* the program defines it, not Clew's library */
} StateGlobal;

/* What the path says an expression is. */
typedef struct Fact {
    Expr e, value;
    uint32_t before; /* the fact of the same expression that it replaces, counted from 1; 0: none */
} Fact;

/* A condition that says more than that variables are something else. */
typedef struct Open {
    Expr condition;
    uint32_t mentions; /* where its list ends */
    uint64_t stamp;    /* the number that it was last written down for */
} Open;

/* A variable in an open condition. */
typedef struct Mention {
    Expr variable;
    uint32_t condition;
    uint32_t before; /* which mention is the previous one of the same variable, counted from 1; 0: this is the first */
} Mention;

typedef struct Condition {
    Expr condition;
    uint32_t facts, open; /* how many there are with it */
} Condition;

struct VmStates {
    bool fit; /* the program does nothing because of which states cannot be compared */
    Vec(StateGlobal) globals;
    Map users;            /* addresses of globals that the program defines */
    Vec(uint64_t *) live; /* by function; NULL: not asked for yet */
    Map call_at;          /* function and instruction -> calls */
    Vec(CallFacts) calls;
    uint64_t words;  /* looked at so far */
    uint64_t output; /* address of the stream */
    /* of the path, as far as it was looked at */
    Vec(Condition) conditions;
    Vec(Fact) facts;
    Vec(Open) open_conditions;
    Vec(Mention) mentions; /* of one open condition after the other */
    Map fact_of;           /* expression -> its latest fact, counted from 1; 0: none */
    Map mention_of;        /* variable -> its latest mention, counted from 1; 0: none */
    uint64_t generation;
    Map simpler[2];       /* what expressions were found to be, by variables alone or by all facts, … */
    uint32_t simpler_for; /* … when there were so many */
    Vec(Expr) operands;
    /* of the number being made */
    uint64_t a, b;
    uint64_t begun; /* `words`, when it was begun */
    uint32_t nodes;
    bool failed, has_facts;
    Map objects;        /* start -> number */
    Vec(uint64_t) open; /* objects that are to be written down, … */
    uint32_t next;      /* … from here on */
    Map numbered;       /* expression -> number */
    Map is_held;
    Vec(Expr) held; /* variables that it depends on */
    Vec(uint32_t) spoken;
    Vec(Expr) work;
    uint64_t stamp;
    bool lists; /* vm_state_values wants to have them */
    Vec(VmStateValue) values;
};

/* ---- set-up ---- */

static void list_bytes(VmStates *s, uint64_t address, uint64_t size)
{
    StateGlobal entry = {address, size, mem_alloc(size + 1), map_find(&s->users, address)};
    memcpy(entry.before, (const void *)(uintptr_t)address, size);
    vec_push(&s->globals, entry);
}

/* Of the standard output, all but where its buffer is and how full. */
static void list_object(VmStates *s, uint64_t start, uint64_t size)
{
    enum { BUFFER_FIRST = offsetof(FILE, _IO_read_ptr), BUFFER_END = offsetof(FILE, _IO_buf_end) + sizeof(char *) };
    if (start == s->output) {
        list_bytes(s, start, BUFFER_FIRST);
        list_bytes(s, start + BUFFER_END, size - BUFFER_END);
    } else {
        list_bytes(s, start, size);
    }
}

/* Keeps what the globals of the program, its arguments and its environment are now.  False: they are too large for that. */
static bool list_globals(Vm *vm)
{
    const Memory *memory = &vm->memory;
    uint64_t bytes = 0;
    for (uint32_t class = 0; class < CLASS_COUNT; class ++)
        for (uint64_t slot = 0; slot < memory->classes[class].fresh; slot++) {
            const Object *object = &memory->objects[((uint64_t) class << OBJECTS_SHIFT) + slot];
            if (object_kind(object) != OBJECT_GLOBAL || (!(object->shadow & SHADOW_SYMBOLIC) && object->shadow & OBJECT_READONLY)) continue;
            bytes += object->size;
            if (bytes > MOST_GLOBAL_BYTES) return false;
            list_object(vm->states, MEM_BASE + ((uint64_t) class << CLASS_SHIFT) + slot * memory->spans[class].size, object->size);
        }
    return true;
}

static void find_users_globals(Vm *vm)
{
    for (uint32_t i = 0; i < vm->program->global_count; i++) {
        const Global *global = &vm->program->globals[i];
        if (global->defined && !global->in_model) map_put(&vm->states->users, vm->symbols[global->symbol], 1);
    }
}

static bool calls(const Program *program, const Function *function, const char *name)
{
    for (uint32_t i = 0; i < function->callee_count; i++)
        if (strcmp(program->functions[function->callees[i]].name, name) == 0) return true;
    return false;
}

/* A program that gives the stream a buffer of its own may read that. */
static bool sets_buffers(const Program *program)
{
    static const char *const names[] = {"setvbuf", "setbuf", "setbuffer", "setlinebuf"};
    for (uint32_t i = 0; i < program->function_count; i++)
        for (size_t k = 0; k < COUNT_OF(names) && !program->functions[i].in_model; k++)
            if (calls(program, &program->functions[i], names[k])) return true;
    return false;
}

static uint64_t output_stream(Vm *vm)
{
    const Global *global = program_global(vm->program, "stdout");
    uint64_t address = 0;
    if (sets_buffers(vm->program)) return 0;
    if (global && global->defined && global->in_model)
        memcpy(&address, (const void *)(uintptr_t)vm->symbols[global->symbol], sizeof address);
    return address;
}

/* A jmp_buf knows its frame by a number that differs from call to call. */
static bool is_fit(const Program *program)
{
    static const char *const names[] = {"setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (program_function(program, names[i])) return false;
    return true;
}

void vm_start_states(Vm *vm)
{
    if (vm->states) return;
    VmStates *s = vm->states = mem_alloc(sizeof *s);
    s->fit = is_fit(vm->program);
    s->output = output_stream(vm);
    find_users_globals(vm);
    s->fit &= list_globals(vm);
    for (uint32_t i = 0; i < vm->program->function_count; i++) vec_push(&s->live, NULL);
}

void vm__release_states(Vm *vm)
{
    VmStates *s = vm->states;
    if (!s) return;
    for (uint32_t i = 0; i < s->globals.len; i++) free(s->globals.data[i].before);
    for (uint32_t i = 0; i < s->live.len; i++) free(s->live.data[i]);
    for (uint32_t i = 0; i < s->calls.len; i++) free(s->calls.data[i].live);
    vec_release(&s->globals);
    vec_release(&s->live);
    vec_release(&s->calls);
    vec_release(&s->conditions);
    vec_release(&s->facts);
    vec_release(&s->open_conditions);
    vec_release(&s->mentions);
    vec_release(&s->operands);
    vec_release(&s->held);
    vec_release(&s->spoken);
    map_release(&s->fact_of);
    map_release(&s->mention_of);
    map_release(&s->simpler[0]);
    map_release(&s->simpler[1]);
    vec_release(&s->open);
    vec_release(&s->work);
    vec_release(&s->values);
    map_release(&s->users);
    map_release(&s->call_at);
    map_release(&s->objects);
    map_release(&s->numbered);
    map_release(&s->is_held);
    free(s);
}

/* ---- calls ---- */

static bool is_in_loop(const Function *function, uint32_t instr)
{
    return function->blocks[function_block(function, instr)].loop != UINT32_MAX;
}

static void find_live(VmStates *s, const Function *function, uint32_t index, uint32_t instr, CallFacts *facts)
{
    uint32_t words = function->register_count / 64 + 1;
    bool all = (uint64_t)words * function->block_count > MOST_LIVE_WORDS;
    uint64_t *set = mem_alloc(words * sizeof *set);
    if (!all && !s->live.data[index]) s->live.data[index] = program_live(function);
    if (!all) program_live_across(function, s->live.data[index], instr, set);
    facts->live = mem_alloc((function->register_count + 1) * sizeof *facts->live);
    for (uint32_t i = 0; i < function->register_count; i++)
        if (all || (set[i / 64] >> i % 64 & 1)) facts->live[facts->count++] = i;
    free(set);
}

/* Every frame is at a call: the last one at that by which the machine is asked. */
static const CallFacts *facts_of(VmStates *s, const Frame *frame)
{
    const Function *function = frame->code->function;
    const Origin *origin = &frame->code->origin[frame->pc - frame->code->code];
    uint32_t instr = origin->instr + origin->instrs - 1, index = frame->code->index;
    uint64_t key = (uint64_t)index << 32 | instr;
    const uint64_t *known = map_find(&s->call_at, key);
    if (known) return &vec_at(&s->calls, *known);
    if (function->code[instr].op != OP_CALL || origin->instrs != 1) return NULL;
    CallFacts facts = {.in_loop = !function->in_model && !function->in_harness && is_in_loop(function, instr)};
    find_live(s, function, index, instr, &facts);
    map_put(&s->call_at, key, s->calls.len);
    vec_push(&s->calls, facts);
    return &vec_top(&s->calls);
}

/* ---- the number ---- */

static void add(VmStates *s, uint64_t x)
{
    s->a = (s->a ^ x) * 0x9e3779b97f4a7c15u;
    s->a ^= s->a >> 32;
    s->b = (s->b + x) * 0xd6e8feb86659fd93u + 0x632be59bd9b4e019u;
    s->b ^= s->b >> 29;
    s->words++;
}

enum { WORD_POINTER = 1, WORD_EXPRESSION, WORD_UNSET, WORD_OBJECT, WORD_FRAME, WORD_GLOBAL, WORD_CONDITION, WORD_BYTES };

static uint64_t number_object(VmStates *s, uint64_t start, bool is_live)
{
    const uint64_t *known = map_find(&s->objects, start);
    if (known) return *known;
    uint64_t number = s->objects.len;
    map_put(&s->objects, start, number);
    if (is_live) vec_push(&s->open, start);
    return number;
}

static void list_value(VmStates *s, uint64_t place, uint64_t word)
{
    int64_t value = word >> 32 ? (int64_t)word : (int32_t)word;
    if (s->lists) vec_push(&s->values, ((VmStateValue){place, value}));
}

static void add_word(Vm *vm, uint64_t word)
{
    VmStates *s = vm->states;
    if (LIKELY(!memory_contains(word))) {
        add(s, word);
        return;
    }
    uint64_t start;
    const Object *object = memory_object(&vm->memory, word, &start);
    ObjectKind kind = object_kind(object);
    if (kind == OBJECT_NONE || kind == OBJECT_GLOBAL) {
        add(s, word);
        return;
    }
    add(s, WORD_POINTER);
    add(s, (uint64_t)kind << 56 | number_object(s, start, kind == OBJECT_STACK || kind == OBJECT_HEAP));
    add(s, word - start);
}

/* ---- expressions ---- */

static uint32_t operands_of(const ExprPool *pool, Expr e, const Expr **elements, Expr buffer[3])
{
    uint32_t count = expr_operand_count(expr_kind(pool, e));
    *elements = buffer;
    if (expr_kind(pool, e) == EXPR_ARRAY || expr_kind(pool, e) == EXPR_APPLY) return expr_elements(pool, e, elements);
    for (uint32_t i = 0; i < count; i++) buffer[i] = expr_operand(pool, e, i);
    return count;
}

static void hold(VmStates *s, Expr variable)
{
    if (map_find(&s->is_held, variable)) return;
    map_put(&s->is_held, variable, 1);
    vec_push(&s->held, variable);
}

/* What the node is, apart from its operands. */
static void add_node(VmStates *s, const ExprPool *pool, Expr e)
{
    ExprKind kind = expr_kind(pool, e);
    add(s, (uint64_t)kind << 32 | expr_width(pool, e));
    if (kind == EXPR_CONST) {
        U128 value = expr_value(pool, e);
        add(s, (uint64_t)value);
        if (value >> 64) add(s, (uint64_t)(value >> 64));
    } else if (kind == EXPR_EXTRACT) {
        add(s, expr_extract_low(pool, e));
    } else if (kind == EXPR_APPLY) {
        add(s, (uintptr_t)expr_function(pool, e));
    } else if (kind == EXPR_VAR) {
        hold(s, e);
    }
}

typedef enum By { BY_VARIABLES, BY_ALL } By; /* facts */
static void learn_from_path(Vm *vm);
static Expr simplify(Vm *vm, Expr e, By by);

/* Each node once, after its operands. */
static void add_expression(Vm *vm, Expr root)
{
    VmStates *s = vm->states;
    const ExprPool *pool = vm->pool;
    vec_clear(&s->work);
    vec_push(&s->work, root);
    while (s->work.len && !s->failed) {
        Expr e = vec_top(&s->work), buffer[3];
        const Expr *operands;
        if (map_find(&s->numbered, e)) {
            (void)vec_pop(&s->work);
            continue;
        }
        uint32_t count = operands_of(pool, e, &operands, buffer), waiting = s->work.len;
        for (uint32_t i = count; i-- > 0;)
            if (!map_find(&s->numbered, operands[i])) vec_push(&s->work, operands[i]);
        if (s->work.len > waiting) continue;
        (void)vec_pop(&s->work);
        add_node(s, pool, e);
        for (uint32_t i = 0; i < count; i++) add(s, *map_find(&s->numbered, operands[i]));
        map_put(&s->numbered, e, s->nodes++);
        s->words += NODE_WORDS;
        s->failed |= s->nodes > MOST_NODES;
    }
    if (s->failed) return;
    add(s, WORD_EXPRESSION);
    add(s, *map_find(&s->numbered, root));
}

/* As it is where the path has come to. */
static Expr decided(Vm *vm, Expr e)
{
    if (!vm->states->has_facts) learn_from_path(vm);
    vm->states->has_facts = true;
    return simplify(vm, e, BY_ALL);
}

/* ---- memory ---- */

static bool has_pattern(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t x = word ^ ones * PATTERN;
    return (x - ones) & ~x & ones * 0x80;
}

/* Up to eight bytes of an object.  Those whose value the path has decided are like any others; of the rest the expressions are written down. */
static void add_bytes(Vm *vm, const Shadow *shadow, uint64_t start, uint64_t offset, unsigned bytes)
{
    VmStates *s = vm->states;
    Expr expressions[8];
    uint64_t word = 0;
    uint32_t symbolic = 0, unset = 0;
    memcpy(&word, (const void *)(uintptr_t)(start + offset), bytes);
    if (has_pattern(word)) unset = vm_undefined_bytes(vm, start + offset, bytes);
    for (unsigned k = 0; k < bytes; k++) {
        Expr e = shadow ? shadow->value[offset + k] : 0;
        if (!e && !(unset >> k & 1)) continue;
        word &= ~((uint64_t)0xff << 8 * k);
        if (!e) continue;
        e = decided(vm, expr_extract(vm->pool, e, 8u * shadow->part[offset + k], 8));
        if (expr_is_const(vm->pool, e)) word |= (uint64_t)expr_value(vm->pool, e) << 8 * k;
        else symbolic |= 1u << k;
        expressions[k] = e;
    }
    if (unset) add(s, (uint64_t)WORD_UNSET << 32 | unset);
    if (symbolic) add(s, (uint64_t)WORD_BYTES << 32 | symbolic);
    for (unsigned k = 0; k < bytes; k++)
        if (symbolic >> k & 1) add_expression(vm, expressions[k]);
    if (bytes == 8 && !symbolic) add_word(vm, word);
    else add(s, word);
    for (unsigned k = 0; k < bytes && !symbolic; k += 4) list_value(s, start + offset + k, (uint32_t)(word >> 8 * k));
}

static const Shadow *shadow_of(Vm *vm, const Object *object)
{
    return object->shadow & SHADOW_SYMBOLIC ? memory_shadow(&vm->memory, object) : NULL;
}

static void add_object(Vm *vm, uint64_t start, uint64_t size, const Object *object)
{
    VmStates *s = vm->states;
    const Shadow *shadow = shadow_of(vm, object);
    add(s, (uint64_t)WORD_OBJECT << 56 | size);
    if (s->words + size / 8 > s->begun + MOST_WORDS) s->failed = true;
    if (shadow && shadow->limit) add_expression(vm, decided(vm, shadow->limit));
    if (shadow && shadow->array) add_expression(vm, decided(vm, shadow->array));
    for (uint64_t at = 0; at < size && !s->failed && !(shadow && shadow->array); at += 8)
        add_bytes(vm, shadow, start, at, size - at < 8 ? (unsigned)(size - at) : 8);
}

/* `offset`: of the global in the object that has the shadow. */
static bool is_as_before(Vm *vm, const StateGlobal *global, const Shadow *shadow, uint64_t offset, uint64_t at, uint64_t bytes)
{
    const uint8_t *now = (const uint8_t *)(uintptr_t)(global->address + at);
    for (uint64_t k = 0; memchr(now, PATTERN, bytes) && k < bytes; k += 8)
        if (vm_undefined_bytes(vm, global->address + at + k, bytes - k < 8 ? (unsigned)(bytes - k) : 8)) return false;
    if (!shadow) return memcmp(now, global->before + at, bytes) == 0;
    for (uint64_t k = 0; k < bytes; k++) {
        Expr e = shadow->value[offset + at + k];
        if (!e && now[k] != global->before[at + k]) return false;
        if (!e) continue;
        e = decided(vm, expr_extract(vm->pool, e, 8u * shadow->part[offset + at + k], 8));
        if (!expr_is_const(vm->pool, e) || (uint8_t)expr_value(vm->pool, e) != global->before[at + k]) return false;
    }
    return true;
}

/* Writes down the parts of a global that have changed since the first number was made.  The others are the same in every state that has no change there,
 * so they need not be written down. */
static void add_global(Vm *vm, uint32_t index)
{
    VmStates *s = vm->states;
    const StateGlobal *global = &s->globals.data[index];
    uint64_t start;
    const Object *object = memory_object(&vm->memory, global->address, &start);
    const Shadow *shadow = shadow_of(vm, object);
    uint64_t offset = global->address - start;
    s->words += global->size / (4 * PART_BYTES);
    if (shadow && (shadow->array || shadow->limit)) {
        add(s, (uint64_t)WORD_GLOBAL << 56 | index);
        add_object(vm, start, global->size, object);
        return;
    }
    for (uint64_t at = 0; at < global->size && !s->failed; at += PART_BYTES) {
        uint64_t bytes = global->size - at < PART_BYTES ? global->size - at : PART_BYTES;
        if (s->words > s->begun + MOST_WORDS) s->failed = true;
        if (is_as_before(vm, global, shadow, offset, at, bytes)) continue;
        add(s, (uint64_t)WORD_GLOBAL << 56 | (uint64_t)index << 32 | at / PART_BYTES);
        for (uint64_t k = 0; k < bytes; k += 8) add_bytes(vm, shadow, start, offset + at + k, bytes - k < 8 ? (unsigned)(bytes - k) : 8);
    }
}

static void add_globals(Vm *vm)
{
    for (uint32_t i = 0; i < vm->states->globals.len && !vm->states->failed; i++) add_global(vm, i);
}

static void add_reachable(Vm *vm)
{
    VmStates *s = vm->states;
    for (; s->next < s->open.len && !s->failed; s->next++) {
        uint64_t start;
        const Object *object = memory_object(&vm->memory, s->open.data[s->next], &start);
        add_object(vm, start, object->size, object);
    }
}

static void add_slots(Vm *vm, uint32_t class)
{
    VmStates *s = vm->states;
    const Memory *memory = &vm->memory;
    uint64_t count = memory->classes[class].fresh;
    s->words += count / 4;
    if (count > MOST_WORDS) s->failed = true;
    for (uint64_t slot = 0; slot < count && !s->failed; slot++) {
        const Object *object = &memory->objects[((uint64_t) class << OBJECTS_SHIFT) + slot];
        ObjectKind kind = object_kind(object);
        uint64_t start = MEM_BASE + ((uint64_t) class << CLASS_SHIFT) + slot * memory->spans[class].size;
        if ((kind != OBJECT_HEAP && kind != OBJECT_STACK) || map_find(&s->objects, start)) continue;
        add(s, start);
        number_object(s, start, true);
        add_reachable(vm);
    }
}

static void add_others(Vm *vm)
{
    for (uint32_t class = 0; class < CLASS_COUNT && !vm->states->failed; class ++)
        if (vm->memory.classes[class].fresh) add_slots(vm, class);
}

/* What is written there is read by nobody. */
static void leave_out_output(Vm *vm)
{
    uint64_t buffer, start;
    if (!vm->states->output) return;
    memcpy(&buffer, (const void *)(uintptr_t)(vm->states->output + offsetof(FILE, _IO_buf_base)), sizeof buffer);
    if (!memory_contains(buffer)) return;
    const Object *object = memory_object(&vm->memory, buffer, &start);
    if (object_kind(object) == OBJECT_HEAP) number_object(vm->states, start, false);
}

/* ---- frames ---- */

static void add_register(Vm *vm, const Frame *frame, uint32_t reg)
{
    uint64_t at = frame->base + reg;
    Expr e = frame->mixed && vm->expressions[at] ? decided(vm, vm->expressions[at]) : 0;
    if (!e) list_value(vm->states, (uint64_t)frame->code->index << 32 | reg, vm->stack[at]);
    if (!e) add_word(vm, vm->stack[at]);
    else if (expr_is_const(vm->pool, e) && expr_width(vm->pool, e) <= 64) add_word(vm, (uint64_t)expr_value(vm->pool, e));
    else add_expression(vm, e);
}

/* Of the call by which the machine is asked. */
static void add_arguments(Vm *vm, const Frame *frame)
{
    const Function *function = frame->code->function;
    const Instr *call = &function->code[frame->code->origin[frame->pc - frame->code->code].instr];
    const CallSite *site = &function->calls[call->imm];
    for (uint32_t i = 0; i < site->argument_count; i++)
        for (uint32_t k = 0; operand_is_reg(site->arguments[i].value) && k < scalar_registers(site->arguments[i].type); k++)
            add_register(vm, frame, site->arguments[i].value + k);
}

static void add_frame(Vm *vm, const Frame *frame)
{
    VmStates *s = vm->states;
    const CallFacts *facts = facts_of(s, frame);
    if (!facts || frame->stop) {
        s->failed = facts == NULL || frame != vm->frames;
        if (s->failed) return;
    }
    add(s, WORD_FRAME);
    add(s, (uint64_t)frame->code->index << 32 | (uint32_t)(frame->pc - frame->code->code));
    add_word(vm, frame->varargs);
    for (uint32_t i = 0; i < facts->count; i++) add_register(vm, frame, facts->live[i]);
    if (frame == vm__frame(vm)) add_arguments(vm, frame);
    if (s->words > s->begun + MOST_WORDS) s->failed = true;
}

/* ---- what the path says ----
 * Mostly a path decides what a value is: a bit that was compared with another one that is known by then.  Such facts are put in place of the expressions,
 * so that it does not matter how they came about.  A condition that says of a variable what it is has then said everything, because the variable is gone;
 * of others, what they say of the variables in them remains to be said: these stay open. */

static const Fact *fact_about(const Vm *vm, Expr e, By by)
{
    if (by == BY_VARIABLES && expr_kind(vm->pool, e) != EXPR_VAR) return NULL;
    const uint64_t *known = map_find(&vm->states->fact_of, e);
    return known && *known ? &vm->states->facts.data[*known - 1] : NULL;
}

/* Its operands are simple by now. */
static Expr rebuild(Vm *vm, Expr e, By by)
{
    VmStates *s = vm->states;
    const Expr *operands;
    Expr buffer[3];
    bool same = true;
    uint32_t count = operands_of(vm->pool, e, &operands, buffer);
    vec_clear(&s->operands);
    for (uint32_t i = 0; i < count; i++) {
        Expr simple = (Expr)*map_find(&s->simpler[by], operands[i]);
        same &= simple == operands[i];
        vec_push(&s->operands, simple);
    }
    return same ? e : expr_with_operands(vm->pool, e, vm->pool, s->operands.data);
}

static bool push_operands(Vm *vm, Expr e, By by)
{
    VmStates *s = vm->states;
    const Expr *operands;
    Expr buffer[3];
    uint32_t before = s->work.len, count = operands_of(vm->pool, e, &operands, buffer);
    for (uint32_t i = 0; i < count; i++)
        if (!map_find(&s->simpler[by], operands[i])) vec_push(&s->work, operands[i]);
    return s->work.len > before;
}

/* Where that takes too long, it stays as it is. */
static Expr simplify(Vm *vm, Expr root, By by)
{
    VmStates *s = vm->states;
    uint32_t steps = 0;
    if (expr_is_const(vm->pool, root)) return root;
    if (s->simpler_for != s->facts.len) {
        map_release(&s->simpler[0]);
        map_release(&s->simpler[1]);
    }
    s->simpler_for = s->facts.len;
    vec_clear(&s->work);
    vec_push(&s->work, root);
    while (s->work.len && ++steps <= 4 * MOST_NODES) {
        Expr e = vec_top(&s->work);
        s->words += NODE_WORDS;
        if (!map_find(&s->simpler[by], e)) {
            if (push_operands(vm, e, by)) continue;
            Expr simple = rebuild(vm, e, by);
            const Fact *fact = fact_about(vm, simple, by);
            const uint64_t *known = fact ? map_find(&s->simpler[by], fact->value) : NULL;
            if (fact && !known && !expr_is_const(vm->pool, fact->value)) {
                vec_push(&s->work, fact->value);
                continue;
            }
            if (fact) simple = known ? (Expr)*known : fact->value;
            map_put(&s->simpler[by], e, simple);
        }
        (void)vec_pop(&s->work);
    }
    const uint64_t *known = map_find(&s->simpler[by], root);
    return known ? (Expr)*known : root;
}

static bool is_within(Vm *vm, Expr e, Expr in)
{
    VmStates *s = vm->states;
    Map seen = {0};
    bool found = false;
    vec_clear(&s->work);
    vec_push(&s->work, in);
    while (s->work.len && !found) {
        Expr top = vec_pop(&s->work);
        found = top == e || seen.len > MOST_NODES;
        if (map_find(&seen, top)) continue;
        map_put(&seen, top, 1);
        const Expr *operands;
        Expr buffer[3];
        uint32_t count = operands_of(vm->pool, top, &operands, buffer);
        for (uint32_t i = 0; i < count; i++) vec_push(&s->work, operands[i]);
    }
    s->words += seen.len * NODE_WORDS;
    map_release(&seen);
    return found;
}

/* True: that says it all. */
static bool note_fact(Vm *vm, Expr e, Expr value)
{
    VmStates *s = vm->states;
    const uint64_t *known = map_find(&s->fact_of, e);
    Fact fact = {e, value, known ? (uint32_t)*known : 0};
    vec_push(&s->facts, fact);
    map_put(&s->fact_of, e, s->facts.len);
    return expr_kind(vm->pool, e) == EXPR_VAR;
}

/* e is the constant.  True: that says it all. */
static bool learn_value(Vm *vm, Expr e, Expr value)
{
    ExprPool *pool = vm->pool;
    if (expr_is_const(pool, e)) return true;
    bool is_all = note_fact(vm, e, value);
    ExprKind kind = expr_kind(pool, e);
    if (kind == EXPR_ZEXT || kind == EXPR_SEXT) {
        Expr inner = expr_operand(pool, e, 0);
        return learn_value(vm, inner, expr_extract(pool, value, 0, expr_width(pool, inner)));
    }
    if (kind == EXPR_CONCAT) {
        Expr high = expr_operand(pool, e, 0), low = expr_operand(pool, e, 1);
        unsigned width = expr_width(pool, low);
        bool first = learn_value(vm, low, expr_extract(pool, value, 0, width));
        return learn_value(vm, high, expr_extract(pool, value, width, expr_width(pool, high))) && first;
    }
    return is_all;
}

/* The one-bit expression is so.  True: the facts that were made of that say it all. */
static bool learn(Vm *vm, Expr e, bool is_true)
{
    ExprPool *pool = vm->pool;
    ExprKind kind = expr_kind(pool, e);
    if (kind == EXPR_NOT) return learn(vm, expr_operand(pool, e, 0), !is_true);
    if (kind == (is_true ? EXPR_AND : EXPR_OR)) {
        bool first = learn(vm, expr_operand(pool, e, 0), is_true), second = learn(vm, expr_operand(pool, e, 1), is_true);
        return first && second;
    }
    if (kind == EXPR_EQ) {
        Expr a = expr_operand(pool, e, 0), b = expr_operand(pool, e, 1);
        if (expr_is_const(pool, a)) {
            Expr other = a;
            a = b;
            b = other;
        }
        if (expr_width(pool, a) == 1 && !is_true) b = expr_not(pool, b);
        else if (!is_true) return false;
        if (expr_is_const(pool, b)) return learn_value(vm, a, b);
        /* The condition stays: by way of it conditions on the one speak of the other. */
        if (expr_kind(pool, a) == EXPR_VAR && !is_within(vm, a, b)) note_fact(vm, a, b);
        else if (expr_kind(pool, b) == EXPR_VAR && !is_within(vm, b, a)) note_fact(vm, b, a);
        return false;
    }
    return note_fact(vm, e, expr_const(pool, 1, is_true));
}

static void mention(VmStates *s, Expr variable)
{
    const uint64_t *known = map_find(&s->mention_of, variable);
    vec_push(&s->mentions, ((Mention){variable, s->open_conditions.len, known ? (uint32_t)*known : 0}));
    map_put(&s->mention_of, variable, s->mentions.len);
}

static void add_open(Vm *vm, Expr condition)
{
    VmStates *s = vm->states;
    Map seen = {0};
    vec_clear(&s->work);
    vec_push(&s->work, condition);
    while (s->work.len) {
        Expr e = vec_pop(&s->work), buffer[3];
        const Expr *operands;
        if (map_find(&seen, e)) continue;
        map_put(&seen, e, 1);
        if (expr_kind(vm->pool, e) == EXPR_VAR) mention(s, e);
        uint32_t count = operands_of(vm->pool, e, &operands, buffer);
        for (uint32_t i = 0; i < count; i++) vec_push(&s->work, operands[i]);
    }
    s->words += seen.len * NODE_WORDS;
    map_release(&seen);
    vec_push(&s->open_conditions, ((Open){condition, s->mentions.len, 0}));
}

static void forget_after(VmStates *s, uint32_t conditions)
{
    uint32_t facts = conditions ? s->conditions.data[conditions - 1].facts : 0;
    uint32_t open = conditions ? s->conditions.data[conditions - 1].open : 0;
    uint32_t mentions = open ? s->open_conditions.data[open - 1].mentions : 0;
    s->words += s->conditions.len - conditions;
    s->conditions.len = conditions;
    s->open_conditions.len = open;
    while (s->facts.len > facts) {
        Fact fact = vec_pop(&s->facts);
        map_put(&s->fact_of, fact.e, fact.before);
    }
    while (s->mentions.len > mentions) {
        Mention last = vec_pop(&s->mentions);
        map_put(&s->mention_of, last.variable, last.before);
    }
    s->simpler_for = UINT32_MAX;
}

/* Expressions that are gone may have come back as others. */
static void forget_all(VmStates *s)
{
    forget_after(s, 0);
    map_release(&s->fact_of);
    map_release(&s->mention_of);
}

/* Keeps what the path at hand has in common with the one that was looked at before: mostly all of that. */
static void keep_common(Vm *vm)
{
    VmStates *s = vm->states;
    if (s->generation != expr_pool_generation(vm->pool)) forget_all(s);
    s->generation = expr_pool_generation(vm->pool);
    uint32_t same = s->conditions.len < vm->path.len ? s->conditions.len : vm->path.len;
    s->words += same / 4;
    for (uint32_t i = 0; i < same; i++)
        if (s->conditions.data[i].condition != vm->path.data[i].condition) same = i;
    if (same < s->conditions.len) forget_after(s, same);
}

static void learn_from_path(Vm *vm)
{
    VmStates *s = vm->states;
    keep_common(vm);
    for (uint32_t i = s->conditions.len; i < vm->path.len; i++) {
        Expr condition = simplify(vm, vm->path.data[i].condition, BY_ALL);
        if (!expr_is_const(vm->pool, condition) && !learn(vm, condition, true)) add_open(vm, condition);
        vec_push(&s->conditions, ((Condition){vm->path.data[i].condition, s->facts.len, s->open_conditions.len}));
    }
}

/* ---- conditions ---- */

static void speak(VmStates *s, uint32_t condition)
{
    Open *open = &s->open_conditions.data[condition];
    if (open->stamp == s->stamp) return;
    open->stamp = s->stamp;
    vec_push(&s->spoken, condition);
    for (uint32_t i = condition ? open[-1].mentions : 0; i < open->mentions; i++) hold(s, s->mentions.data[i].variable);
    s->failed |= s->spoken.len > MOST_SPOKEN;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Those that say something of the inputs held, directly or by way of others that are not known. */
static void add_conditions(Vm *vm)
{
    VmStates *s = vm->states;
    for (uint32_t i = 0; i < s->held.len && !s->failed; i++) {
        const Fact *fact = fact_about(vm, s->held.data[i], BY_VARIABLES);
        if (fact && expr_is_const(vm->pool, fact->value)) continue;
        const uint64_t *last = map_find(&s->mention_of, s->held.data[i]);
        for (uint32_t at = last ? (uint32_t)*last : 0; at; at = s->mentions.data[at - 1].before)
            speak(s, s->mentions.data[at - 1].condition);
    }
    if (s->spoken.len) qsort(s->spoken.data, s->spoken.len, sizeof *s->spoken.data, by_number);
    for (uint32_t i = 0; i < s->spoken.len && !s->failed; i++) {
        Expr condition = simplify(vm, s->open_conditions.data[s->spoken.data[i]].condition, BY_VARIABLES);
        if (expr_is_const(vm->pool, condition)) continue;
        add(s, WORD_CONDITION);
        add_expression(vm, condition);
    }
}

/* ---- all of it ---- */

static bool asks_in_loop(Vm *vm)
{
    for (uint32_t i = vm->depth; i-- > 0;) {
        const CallFacts *facts = facts_of(vm->states, &vm->frames[i]);
        if (!facts) return false;
        if (facts->in_loop) return true;
    }
    return false;
}

static void clear(VmStates *s)
{
    s->a = 1;
    s->b = 2;
    s->begun = s->words;
    s->nodes = 0;
    s->failed = s->has_facts = false;
    vec_clear(&s->open);
    s->next = 0;
    if (s->objects.len) map_release(&s->objects);
    if (s->numbered.len) map_release(&s->numbered);
    if (s->held.len) map_release(&s->is_held);
    vec_clear(&s->held);
    vec_clear(&s->spoken);
    s->stamp++;
}

/* Functions of Clew's library know the addresses of their variables in no other form, so these are numbered as if pointers had led there. */
static void find_library_variables(Vm *vm)
{
    for (uint32_t i = 0; i < vm->depth; i++) {
        uint32_t end = i + 1 < vm->depth ? vm->frames[i + 1].allocas : vm->allocas.len;
        if (!vm->frames[i].code->function->in_model) continue;
        for (uint32_t k = vm->frames[i].allocas; k < end; k++) number_object(vm->states, vm->allocas.data[k], true);
    }
}

bool vm_state(Vm *vm, VmState *state)
{
    vm_start_states(vm);
    VmStates *s = vm->states;
    if (!s->fit || vm->native_seen || vm->catches || vm->by_chance || vm->evaluating || vm->observer.isolating || vm->pointers.len)
        return false;
    if (!asks_in_loop(vm)) return false;
    clear(s);
    leave_out_output(vm);
    for (uint32_t i = 0; i < vm->depth && !s->failed; i++) add_frame(vm, &vm->frames[i]);
    find_library_variables(vm);
    add_globals(vm);
    add_reachable(vm);
    add_others(vm);
    add_conditions(vm);
    *state = (VmState){s->a, s->b};
    return !s->failed;
}

bool vm_state_values(Vm *vm, const VmStateValue **values, uint32_t *count)
{
    VmState state;
    vm_start_states(vm);
    vec_clear(&vm->states->values);
    vm->states->lists = true;
    bool done = vm_state(vm, &state);
    vm->states->lists = false;
    *values = vm->states->values.data;
    *count = vm->states->values.len;
    return done;
}

bool vm_end_values(Vm *vm, const VmStateValue **values, uint32_t *count)
{
    vm_start_states(vm);
    VmStates *s = vm->states;
    clear(s);
    vec_clear(&s->values);
    s->lists = true;
    for (uint32_t i = 0; i < s->globals.len && s->fit && !s->failed; i++)
        if (s->globals.data[i].is_users) add_global(vm, i);
    s->lists = false;
    *values = s->values.data;
    *count = s->values.len;
    return s->fit && !s->failed;
}

uint64_t vm_state_work(const Vm *vm)
{
    return vm->states ? vm->states->words : 0;
}
