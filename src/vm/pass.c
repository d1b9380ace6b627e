/* Arguments and results: how the values of a call get from the caller's types to the callee's.
 *
 * Mostly the two agree, and values are copied.  They disagree where a prototype is old or wrong, a definition is in K&R style, a declaration
 * is missing, or a pointer to a function has another type than the function.  C leaves such a call undefined, but the code that compilers
 * make for it is quite definite: the caller puts each argument where the x86-64 System V calling convention says, by its own types (general
 * registers, vector registers, the stack), and each parameter is what lies in the parameter's own place.  The same happens here:
 *
 *   - An integer argument is extended to 32 bits as the caller's type says.  In a general register the upper half is then 0, because
 *     clang -O0 writes such registers by 32-bit instructions; on the stack the upper half is uninitialised.
 *   - An integer result of 32 bits leaves the upper half of its register 0; of a narrower one, all other bits are uninitialised.
 *   - A float fills the lower bits of its vector register, and the rest is uninitialised.
 *   - A place that the caller has put nothing into is uninitialised.
 *   - Where only a part of a struct on the stack would be a parameter, the run ends with a message.
 *
 * What is uninitialised is reported where it decides something, as any uninitialised value.  Native functions do not come here: libffi puts
 * their arguments where the caller's types say. */
#include "base/arith.h"
#include "vm/vm_int.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    GENERAL_REGISTERS = 6,
    VECTOR_REGISTERS = 8,
    GENERAL_BYTES = 8 * GENERAL_REGISTERS,
    SAVE_BYTES = GENERAL_BYTES + 16 * VECTOR_REGISTERS
};

/* ---- where values are ---- */

typedef enum PlaceKind { IN_GENERAL, IN_VECTOR, IN_X87, IN_RESULT /* a general register */, ON_STACK } PlaceKind;
typedef struct Place {
    PlaceKind kind;
    uint64_t at;           /* the number of the register; ON_STACK: the offset in bytes */
    uint32_t first, lanes; /* the scalars that lie there: one, or all elements of a vector */
} Place;

typedef struct Layout {
    uint32_t general, vector, x87; /* registers used so far */
    uint64_t stack;                /* bytes used so far */
    uint64_t align;                /* the largest alignment needed on the stack */
    uint32_t count;
    Place *places;
} Layout;

/* How many scalars from `i` on share one place. */
static uint32_t group(const Passed *scalars, uint32_t i, uint32_t count)
{
    uint32_t lanes = scalars[i].type.lanes ? scalars[i].type.lanes : 1;
    return lanes <= count - i ? lanes : count - i;
}

static Place place_argument(Layout *layout, const Passed *p, uint32_t lanes)
{
    uint64_t bytes = p->byval_size ? p->byval_size : lanes > 1 ? (uint64_t)lanes * p->type.width / 8 : p->type.width > 64 ? 16 : 8;
    bool is_float = p->type.kind == SCALAR_FLOAT || lanes > 1;
    if (!p->byval_size && !is_float && bytes == 8 && layout->general < GENERAL_REGISTERS)
        return (Place){.kind = IN_GENERAL, .at = layout->general++};
    if (!p->byval_size && is_float && p->type.width != 80 && bytes <= 16 && layout->vector < VECTOR_REGISTERS)
        return (Place){.kind = IN_VECTOR, .at = layout->vector++};
    uint64_t align = p->byval_size ? p->byval_align : bytes;
    if (align < 8) align = 8;
    if (align > layout->align) layout->align = align;
    Place place = {.kind = ON_STACK, .at = (layout->stack + align - 1) & ~(align - 1)};
    layout->stack = place.at + ((bytes + 7) & ~(uint64_t)7);
    return place;
}

static Place place_result(Layout *layout, const Passed *p, uint32_t lanes)
{
    if (p->type.kind != SCALAR_FLOAT && lanes == 1) {
        Place place = {.kind = IN_RESULT, .at = layout->general};
        layout->general += scalar_registers(p->type);
        return place;
    }
    if (p->type.width == 80) return (Place){.kind = IN_X87, .at = layout->x87++};
    return (Place){.kind = IN_VECTOR, .at = layout->vector++};
}

static Layout lay_out(const Passed *scalars, uint32_t count, bool results)
{
    Layout layout = {.align = 16, .places = mem_alloc((count + 1) * sizeof *layout.places)};
    for (uint32_t i = 0, lanes; i < count; i += lanes) {
        lanes = group(scalars, i, count);
        Place *place = &layout.places[layout.count++];
        *place = (results ? place_result : place_argument)(&layout, &scalars[i], lanes);
        place->first = i;
        place->lanes = lanes;
    }
    return layout;
}

static const Place *find_place(const Layout *layout, const Place *wanted)
{
    for (uint32_t i = 0; i < layout->count; i++)
        if (layout->places[i].kind == wanted->kind && layout->places[i].at == wanted->at) return &layout->places[i];
    return NULL;
}

/* ---- one value ---- */

static Value value_of(Vm *vm, Expr e)
{
    return expr_is_const(vm->pool, e) ? (Value){.bits = expr_value(vm->pool, e)} : (Value){.e = e};
}

static Value undefined(Vm *vm, unsigned width)
{
    return (Value){.e = vm__undef(vm, width)};
}

static Value extend(Vm *vm, Value value, unsigned from, unsigned to, bool sign)
{
    if (value.e) return value_of(vm, sign ? expr_sext(vm->pool, value.e, to) : expr_zext(vm->pool, value.e, to));
    return (Value){.bits = sign ? arith_sext(value.bits, from) & arith_mask(to) : value.bits};
}

static Value cut(Vm *vm, Value value, unsigned low, unsigned width)
{
    if (value.e) return value_of(vm, expr_extract(vm->pool, value.e, low, width));
    return (Value){.bits = value.bits >> low & arith_mask(width)};
}

static Value join(Vm *vm, Value high, unsigned high_width, Value low, unsigned low_width)
{
    if (!high.e && !low.e) return (Value){.bits = high.bits << low_width | low.bits};
    return value_of(vm, expr_binary(vm->pool, EXPR_CONCAT, vm__expr(vm, high, high_width), vm__expr(vm, low, low_width)));
}

/* What an integer of *have bits leaves in its place; *have becomes the number of bits that are known. */
static Value extend_integer(Vm *vm, Value value, Scalar type, PlaceKind kind, unsigned *have)
{
    unsigned first = kind == IN_RESULT ? 8 : 32; /* the convention says that much */
    if (*have < first) {
        value = extend(vm, value, *have, first, type.sign);
        *have = first;
    }
    if (*have >= 64 || *have < 32 || kind == ON_STACK) return value;
    value = extend(vm, value, *have, 64, false);
    *have = 64;
    return value;
}

/* `width` bits, from bit `low` on, of the place that these scalars were put into. */
static Value bits_there(Vm *vm, const Passed *scalars, const Place *place, unsigned low, unsigned width)
{
    const Passed *first = &scalars[place->first];
    Value value = first->value;
    unsigned have = first->type.width;
    for (uint32_t k = 1; k < place->lanes; k++) {
        value = join(vm, first[k].value, first[k].type.width, value, have);
        have += first[k].type.width;
    }
    if (low + width > have && first->type.kind != SCALAR_FLOAT && place->lanes == 1)
        value = extend_integer(vm, value, first->type, place->kind, &have);
    if (low + width <= have) return low == 0 && width == have ? value : cut(vm, value, low, width);
    if (low >= have) return undefined(vm, width);
    unsigned rest = low + width - have;
    return join(vm, undefined(vm, rest), rest, low ? cut(vm, value, low, have - low) : value, have - low);
}

/* ---- do the types agree? ---- */

/* The same bits in the same place: a pointer and a 64-bit integer are, an integer and a float are not. */
static bool same_scalar(Scalar a, Scalar b)
{
    return a.width == b.width && a.lanes == b.lanes && (a.kind == SCALAR_FLOAT) == (b.kind == SCALAR_FLOAT);
}

static bool has_floats(const CallSite *site)
{
    for (uint32_t i = 0; i < site->argument_count; i++)
        if (site->arguments[i].type.kind == SCALAR_FLOAT || site->arguments[i].type.lanes > 1) return true;
    return false;
}

/* Is there an argument of the right type for each parameter? */
static bool same_first(const CallSite *site, const Signature *s)
{
    if (site->argument_count < s->param_count) return false;
    for (uint32_t i = 0; i < s->param_count; i++)
        if (!same_scalar(site->arguments[i].type, s->params[i].type) || site->arguments[i].byval_size != s->params[i].byval_size)
            return false;
    return true;
}

bool vm__same_arguments(const CallSite *site, const Signature *s)
{
    if ((!s->variadic && site->argument_count != s->param_count) || !same_first(site, s)) return false;
    return !s->variadic || site->variadic || !has_floats(site); /* else the callee is not told that there are any */
}

bool vm__same_results(const CallSite *site, const Signature *s)
{
    if (site->result_count == 0) return true;
    if (site->result_count != s->result_count) return false;
    for (uint32_t i = 0; i < site->result_count; i++)
        if (!same_scalar(site->results[i], s->results[i])) return false;
    return true;
}

/* ---- what the user is told ---- */

static void describe(Scalar type, uint64_t byval_size, char text[64])
{
    if (byval_size) snprintf(text, 64, "a struct of %llu bytes", (unsigned long long)byval_size);
    else if (type.lanes > 1) snprintf(text, 64, "a vector");
    else if (type.kind == SCALAR_POINTER) snprintf(text, 64, "a pointer");
    else if (type.kind == SCALAR_FLOAT)
        snprintf(text, 64, "%s", type.width == 32 ? "a float" : type.width == 64 ? "a double" : "a float of another size");
    else snprintf(text, 64, "an integer of %u bits", type.width);
}

/* The first difference between the arguments and the parameters; false: there is none that matters. */
static bool describe_arguments(const CallSite *site, const Signature *s, char text[256])
{
    char given[64], wanted[64];
    for (uint32_t i = 0; i < site->argument_count && i < s->param_count; i++) {
        const Argument *a = &site->arguments[i];
        const Param *p = &s->params[i];
        if (same_scalar(a->type, p->type) && a->byval_size == p->byval_size) continue;
        describe(a->type, a->byval_size, given);
        describe(p->type, p->byval_size, wanted);
        snprintf(text, 256, "argument %u is %s, its parameter is %s", i + 1, given, wanted);
        return true;
    }
    if (site->argument_count < s->param_count || (!s->variadic && site->argument_count > s->param_count)) {
        snprintf(text, 256, "%u argument%s for %u parameter%s", site->argument_count, site->argument_count == 1 ? "" : "s", s->param_count,
                 s->param_count == 1 ? "" : "s");
        return true;
    }
    snprintf(text, 256, "its prototype hides that it takes a variable number of arguments");
    return !vm__same_arguments(site, s);
}

static void describe_results(const CallSite *site, const Signature *s, char text[256])
{
    char wanted[64], given[64] = "nothing";
    describe(site->results[0], 0, wanted);
    if (s->result_count) describe(s->results[0], 0, given);
    bool several = site->result_count > 1 || s->result_count > 1;
    if (several) snprintf(text, 256, "its result is a struct, or the caller takes it for one");
    else snprintf(text, 256, "the caller expects %s, the function returns %s", wanted, given);
}

/* One note for each function, at the first such call. */
void vm__note_types(Vm *vm, const CallSite *site, Prepared *target, bool result_used)
{
    const Signature *s = &target->signature;
    const char *function;
    char text[256];
    if (target->types_noted) return;
    /* More arguments than parameters hurt nobody where no prototype promises otherwise, and where the library calls main and constructors. */
    bool quiet = site->variadic || vm__frame(vm)->code->function->in_model || target->function->in_model;
    bool only_more = quiet && site->argument_count > s->param_count && same_first(site, s);
    bool arguments = !only_more && !vm__same_arguments(site, s) && describe_arguments(site, s, text);
    if (!arguments && (!result_used || vm__same_results(site, s))) return;
    if (!arguments) describe_results(site, s, text);
    const Loc *loc = &vm->program->locs[vm__place(vm, &function)];
    target->types_noted = true;
    vm__note(
        vm, "%s:%u: %s is called with other types than it is defined with (%s); values are passed as the x86-64 calling convention does it",
        loc->file ? loc->file : "?", loc->line, target->function->name, text);
}

/* ---- arguments ---- */

Passed *vm__passed(Vm *vm, const CallSite *site)
{
    Passed *passed = mem_alloc((site->argument_count + 1) * sizeof *passed);
    for (uint32_t i = 0; i < site->argument_count; i++) {
        const Argument *a = &site->arguments[i];
        passed[i] = (Passed){vm__operand(vm, a->value, a->type.width), a->type, a->byval_size, a->byval_align};
    }
    return passed;
}

static Passed *passed_as(const Signature *s)
{
    Passed *wanted = mem_alloc((s->param_count + 1) * sizeof *wanted);
    for (uint32_t i = 0; i < s->param_count; i++)
        wanted[i] = (Passed){.type = s->params[i].type, .byval_size = s->params[i].byval_size, .byval_align = s->params[i].byval_align};
    return wanted;
}

/* Can the parameter be taken from what lies at `from`?  NULL: nothing does. */
static bool is_possible(const Passed *passed, const Layout *arguments, const Place *from, const Passed *wanted, const Place *to)
{
    if (to->kind != ON_STACK) return true;
    if (!from) return to->at >= arguments->stack;
    const Passed *there = &passed[from->first];
    if (wanted->byval_size) return there->byval_size >= wanted->byval_size;
    return !there->byval_size && from->lanes * there->type.width <= 128;
}

static void take_arguments(Vm *vm, const Passed *passed, const Place *from, const Passed *wanted, const Place *to, Value *values)
{
    for (uint32_t k = 0; k < to->lanes; k++) {
        const Passed *one = &wanted[to->first + k];
        Value *value = &values[to->first + k];
        if (one->byval_size) *value = from ? passed[from->first].value : (Value){0};
        else if (from) *value = bits_there(vm, passed, from, k * one->type.width, one->type.width);
        else *value = undefined(vm, one->type.width);
    }
}

bool vm__convert_arguments(Vm *vm, const Signature *s, const char *name, const Passed *passed, uint32_t count, Value *values)
{
    Passed *wanted = passed_as(s);
    Layout arguments = lay_out(passed, count, false), parameters = lay_out(wanted, s->param_count, false);
    bool possible = true;
    for (uint32_t i = 0; i < parameters.count && possible; i++) {
        const Place *to = &parameters.places[i], *from = find_place(&arguments, to);
        possible = is_possible(passed, &arguments, from, &wanted[to->first], to);
        if (possible) take_arguments(vm, passed, from, wanted, to, values);
    }
    if (!possible)
        vm__stop(
            vm, VM_UNSUPPORTED, 0,
            "%s is called with a struct, a vector or a long double where its definition has something else: declare it as it is defined",
            name);
    free(arguments.places);
    free(parameters.places);
    free(wanted);
    return possible;
}

/* ---- variable arguments ---- */

/* A struct in memory that a call copies. */
static bool copy_struct(Vm *vm, uint64_t to, Value from, uint64_t size)
{
    if (vm__isolated(vm) && from.e) from.e = vm__settle(vm, from.e);
    else vm__tell_place(vm, PLACE_NAMED, (uint64_t)from.bits, 0);
    return vm__copy(vm, to, (uint64_t)vm__concrete(vm, from), size);
}

static bool store_argument(Vm *vm, uint64_t at, const Passed *passed, const Place *place)
{
    const Passed *first = &passed[place->first];
    if (first->byval_size) return copy_struct(vm, at, first->value, first->byval_size);
    if (place->lanes == 1) {
        unsigned width = first->type.width <= 64 ? 64 : 128;
        vm__store_bytes(vm, at, width / 8, extend(vm, first->value, first->type.width, width, false));
        return true;
    }
    for (uint32_t k = 0; k < place->lanes; k++)
        vm__store_bytes(vm, at + (uint64_t)k * first->type.width / 8, first->type.width / 8u, first[k].value);
    return true;
}

/* Stores what the named parameters leave.  False: the guest was stopped. */
static bool store_arguments(Vm *vm, const Passed *passed, const Layout *all, const Layout *named, bool vectors, uint64_t save,
                            uint64_t stack)
{
    for (uint32_t i = 0; i < all->count; i++) {
        const Place *place = &all->places[i];
        bool free_general = place->kind == IN_GENERAL && place->at >= named->general;
        bool free_vector = place->kind == IN_VECTOR && place->at >= named->vector && vectors;
        bool free_stack = place->kind == ON_STACK && place->at >= named->stack;
        if (!free_general && !free_vector && !free_stack) continue;
        uint64_t at = free_stack ? stack + place->at : save + (free_general ? 8 * place->at : GENERAL_BYTES + 16 * place->at);
        if (!store_argument(vm, at, passed, place)) return false;
    }
    return true;
}

/* Makes the va_list that va_start copies: six words of the general registers, eight vector registers, and the stack behind the named
 * parameters.  `vectors`: the caller has said that some are in use; without a prototype with `...` it has not, and they are not saved. */
static bool pass_variable(Vm *vm, const Signature *s, const Passed *passed, uint32_t count, bool vectors)
{
    Passed *wanted = passed_as(s);
    Layout named = lay_out(wanted, s->param_count, false), all = lay_out(passed, count, false);
    uint64_t list = vm__alloca(vm, 24, 16), save = list ? vm__alloca(vm, SAVE_BYTES, 16) : 0;
    uint64_t bytes = all.stack > named.stack ? all.stack : named.stack;
    uint64_t stack = save ? vm__alloca(vm, bytes, (uint32_t)all.align) : 0;
    bool done = stack && store_arguments(vm, passed, &all, &named, vectors, save, stack);
    if (done) {
        uint64_t offsets = 8 * (uint64_t)named.general | (GENERAL_BYTES + 16 * (uint64_t)named.vector) << 32;
        vm__store_bytes(vm, list, 8, (Value){.bits = offsets});
        vm__store_bytes(vm, list + 8, 8, (Value){.bits = stack + named.stack});
        vm__store_bytes(vm, list + 16, 8, (Value){.bits = save});
        vm__frame(vm)->varargs = list;
    }
    free(named.places);
    free(all.places);
    free(wanted);
    return done;
}

/* ---- entering a function ---- */

/* In the new frame. */
static bool set_parameters(Vm *vm, const Signature *s, const Value *values)
{
    for (uint32_t i = 0; i < s->param_count; i++) {
        const Param *param = &s->params[i];
        Value value = values[i];
        if (param->byval_size) {
            uint64_t copy = vm__alloca(vm, param->byval_size, param->byval_align);
            bool given = value.e || value.bits;
            if (!copy || (given && !copy_struct(vm, copy, value, param->byval_size))) return false;
            value = (Value){.bits = copy};
        }
        vm__set(vm, param->reg, param->type.width, value);
    }
    return true;
}

void vm__enter(Vm *vm, Prepared *target, const Passed *passed, uint32_t count, const CallSite *site, uint32_t dst)
{
    const Signature *s = &target->signature;
    Value few[8] = {{0}}, *values = s->param_count <= COUNT_OF(few) ? few : mem_alloc(s->param_count * sizeof *values);
    bool same = site ? vm__same_arguments(site, s) : count >= s->param_count;
    for (uint32_t i = 0; same && i < s->param_count; i++) values[i] = passed[i].value;
    if ((same || vm__convert_arguments(vm, s, target->function->name, passed, count, values)) && vm__push(vm, target, dst)) {
        vm__frame(vm)->converts = site && !vm__same_results(site, s);
        if (set_parameters(vm, s, values) && s->variadic) pass_variable(vm, s, passed, count, !site || site->variadic);
    }
    if (values != few) free(values);
}

/* ---- results ---- */

static void convert_results(Vm *vm, uint32_t dst, const CallSite *site, const Passed *given, uint32_t count)
{
    Passed *wanted = mem_alloc((site->result_count + 1) * sizeof *wanted);
    for (uint32_t i = 0; i < site->result_count; i++) wanted[i].type = site->results[i];
    Layout from = lay_out(given, count, true), to = lay_out(wanted, site->result_count, true);
    for (uint32_t i = 0, reg = dst; i < to.count; i++) {
        const Place *place = &to.places[i], *there = find_place(&from, place);
        for (uint32_t k = 0; k < place->lanes; k++) {
            Scalar type = wanted[place->first + k].type;
            vm__set(vm, reg, type.width, there ? bits_there(vm, given, there, k * type.width, type.width) : undefined(vm, type.width));
            reg += scalar_registers(type);
        }
    }
    free(from.places);
    free(to.places);
    free(wanted);
}

void vm__take_results(Vm *vm, uint32_t dst, const CallSite *site, const Scalar *types, const Value *values, uint32_t count)
{
    const Signature s = {.results = types, .result_count = count};
    if (site->result_count == 0 || dst == OPERAND_NONE) return;
    if (vm__same_results(site, &s)) {
        for (uint32_t i = 0, reg = dst; i < count; reg += scalar_registers(types[i++])) vm__set(vm, reg, types[i].width, values[i]);
        return;
    }
    Passed *given = mem_alloc((count + 1) * sizeof *given);
    for (uint32_t i = 0; i < count; i++) given[i] = (Passed){.value = values[i], .type = types[i]};
    convert_results(vm, dst, site, given, count);
    free(given);
}
