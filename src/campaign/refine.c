/* Tests that are pleasant to read.  Each run is executed once more under its inputs; where all conditions of its path still hold with a
 * friendlier value (0, 1, a small number, a printable character, NULL) the input gets that one.  Then it is executed under the result, by a
 * machine that keeps what the harness observes and what the program prints.  If that run is not the same path after all, the inputs stay as
 * the search found them.
 *
 * A run that the search left at a limit becomes a test that ends where its inputs end.  Inputs after the last branch that the test is there for are
 * cut off, and whatever else can be left out of the sequence without losing one of these branches is left out: halves, quarters, … single inputs
 * (A. Zeller and R. Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002, without its complements). */
#include "base/arith.h"
#include "campaign/campaign_int.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_EVALUATIONS = 400000,
    MOST_CONDITIONS = 4000,
    MOST_SHORTENING = 30000000 /* instructions (about half a second) that are executed to make one test shorter.  A guess. */
};

typedef struct Refiner {
    const Work *work;
    ExprPool *pool;
    Vm *vm;
    VmMark first;
    StrBuf output;
    Vec(U128) values, longer;
    bool ends_with_inputs; /* the run at hand was left at a limit, so its test ends where its inputs end */
    VmStop end;            /* of the run at hand, as it was found */
    uint64_t evaluations;
} Refiner;

/* ---- the machine ---- */

static Status start(Refiner *r)
{
    Error error;
    VmOptions options = r->work->search.vm;
    options.exploring = options.stop_at_report = options.observing = true;
    options.marks = false;
    options.quiet_output = false;
    if (!options.fixed_time_ns) options.fixed_time_ns = SEARCH_TIME_NS;
    options.output = &r->output;
    options.on_report = NULL;
    options.deadline = r->work->deadline;
    if (!options.run_limit) options.run_limit = 30000000;
    r->pool = expr_pool_new();
    if (vm_new(&r->vm, r->work->program, r->pool, &options, &error) != OK) return FAILED;
    Status status = r->work->function ? vm_start_function(r->vm, r->work->function, NULL, 0, &error) : vm_start_main(r->vm, &error);
    if (status == OK) r->first = vm_mark(r->vm);
    return status;
}

static VmStop execute(Refiner *r)
{
    vm_return(r->vm, r->first);
    vm_forget_branches_seen(r->vm);
    vm_end_with_inputs(r->vm, true); /* what is not given is not guessed */
    vm_give(r->vm, r->values.data, r->values.len);
    strbuf_clear(&r->output);
    return vm_run(r->vm);
}

/* ---- friendlier values ---- */

static bool path_holds(Refiner *r)
{
    for (uint32_t i = 0; i < vm_path_length(r->vm); i++) {
        const VmCondition *c = vm_condition(r->vm, i);
        r->evaluations++;
        if (!expr_eval(vm_model(r->vm), c->condition)) return false;
    }
    return true;
}

static bool try_value(Refiner *r, uint32_t i, U128 value)
{
    Expr variable = vm_input(r->vm, i);
    U128 old = expr_model_get(vm_model(r->vm), variable);
    value &= arith_mask(expr_width(r->pool, variable));
    if (value == old) return true;
    expr_model_set(vm_model(r->vm), variable, value);
    if (path_holds(r)) return true;
    expr_model_set(vm_model(r->vm), variable, old);
    return false;
}

static bool try_numbers(Refiner *r, uint32_t i, const int *numbers, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (try_value(r, i, (U128)(I128)numbers[k])) return true;
    return false;
}

/* Towards 0 by bisection; the last value for which the path holds stays. */
static void shrink_integer(Refiner *r, uint32_t i, bool is_signed)
{
    unsigned width = expr_width(r->pool, vm_input(r->vm, i));
    U128 bits = expr_model_get(vm_model(r->vm), vm_input(r->vm, i));
    bool negative = is_signed && (bits >> (width - 1) & 1);
    U128 below = 0, above = negative ? (-bits) & arith_mask(width) : bits;
    while (above - below > 1) {
        U128 middle = below + (above - below) / 2;
        if (try_value(r, i, negative ? -middle : middle)) above = middle;
        else below = middle;
    }
}

static void please_float(Refiner *r, uint32_t i)
{
    static const double liked[] = {0, 1, 2, -1, 0.5, 10, -10, 100, 1000, -100, 1e6};
    unsigned width = expr_width(r->pool, vm_input(r->vm, i));
    if (width != 32 && width != 64) return;
    for (size_t k = 0; k < COUNT_OF(liked); k++)
        if (try_value(r, i, width == 32 ? (U128)arith_bits32((float)liked[k]) : (U128)arith_bits64(liked[k]))) return;
    U128 bits = expr_model_get(vm_model(r->vm), vm_input(r->vm, i));
    double value = width == 32 ? (double)arith_f32((uint32_t)bits) : arith_f64((uint64_t)bits);
    for (double unit = 1; unit >= 1e-6; unit /= 10) { /* fewer digits */
        double whole = (double)(int64_t)(value / unit) * unit;
        if (!(value > -1e15 && value < 1e15)) return;
        if (try_value(r, i, width == 32 ? (U128)arith_bits32((float)whole) : (U128)arith_bits64(whole))) return;
    }
}

/* The number of an element of an array, plus 1, so that a test shows which element went where and that zeros were written; 0: it is none. */
static int element_number(Refiner *r, uint32_t i)
{
    const char *name = expr_var_name(r->pool, vm_input(r->vm, i)), *bracket = strrchr(name, '[');
    char type = vm_input_info(r->vm, i).type;
    if (!bracket || name[strlen(name) - 1] != ']' || (type != 'i' && type != 'u' && type != 'f')) return 0;
    return atoi(bracket + 1) + 1;
}

static bool try_element(Refiner *r, uint32_t i)
{
    int number = element_number(r, i);
    unsigned width = expr_width(r->pool, vm_input(r->vm, i));
    if (number == 0) return false;
    if (vm_input_info(r->vm, i).type != 'f') return try_value(r, i, (U128)(I128)number);
    if (width != 32 && width != 64) return false;
    return try_value(r, i, width == 32 ? (U128)arith_bits32((float)number) : (U128)arith_bits64(number));
}

static void please(Refiner *r, uint32_t i)
{
    static const int numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 20, 32, 50, 64, 100, 1000};
    static const int characters[] = {0, 'a', 'x', ' ', '0', '1', 'A', 'b', 'z', '9', 'Z', '-', '.', '_', '/', '!', '~'};
    if (try_element(r, i)) return;
    switch (vm_input_info(r->vm, i).type) {
    case 'p': try_value(r, i, 0); break;
    case 'b': try_value(r, i, 0); break;
    case 'f': please_float(r, i); break;
    case 'c': try_numbers(r, i, characters, COUNT_OF(characters)); break;
    case 'i':
        if (!try_numbers(r, i, numbers, COUNT_OF(numbers)) && !try_value(r, i, ~(U128)0)) shrink_integer(r, i, true);
        break;
    default:
        if (!try_numbers(r, i, numbers, COUNT_OF(numbers))) shrink_integer(r, i, false);
        break;
    }
}

static void keep_values(Refiner *r)
{
    vec_clear(&r->values);
    for (uint32_t i = 0; i < vm_input_count(r->vm); i++) vec_push(&r->values, expr_model_get(vm_model(r->vm), vm_input(r->vm, i)));
}

static void please_all(Refiner *r)
{
    if (vm_path_length(r->vm) > MOST_CONDITIONS) return;
    r->evaluations = 0;
    for (uint32_t i = 0; i < vm_input_count(r->vm) && r->evaluations < MOST_EVALUATIONS; i++) please(r, i);
}

/* ---- shorter sequences of inputs ---- */

/* Does the run that was just executed take all branches that the test is there for?  *inputs: how many inputs it takes for that. */
static bool takes_all(Refiner *r, const Record *found, uint32_t *inputs)
{
    *inputs = 0;
    for (uint32_t i = 0; i < found->branches.len; i++) {
        uint32_t branch = found->branches.data[i];
        if (!vm_branches_seen(r->vm)[branch]) return false;
        if (vm_branch_inputs(r->vm, branch) > *inputs) *inputs = vm_branch_inputs(r->vm, branch);
    }
    return true;
}

/* Has the run that was just executed the right end?  One that was left at a limit may end where its inputs end, or idle. */
static bool ends_right(const Refiner *r, const VmStop *stop)
{
    if (r->ends_with_inputs) return stop->kind == VM_INPUTS || stop->kind == VM_IDLE;
    return stop->kind == r->end.kind && stop->status == r->end.status && stop->bug == r->end.bug && stop->loc == r->end.loc;
}

/* What comes after the last branch is of no use, unless the test is to show how the program ends. */
static void cut_off(Refiner *r, uint32_t needed)
{
    if (r->ends_with_inputs && needed < r->values.len) r->values.len = needed;
}

/* Without `count` inputs from `first` on.  True: nothing is lost, and these are the values now. */
static bool leave_out(Refiner *r, const Record *found, uint32_t first, uint32_t count)
{
    uint32_t needed;
    vec_clear(&r->longer);
    for (uint32_t i = 0; i < r->values.len; i++) vec_push(&r->longer, r->values.data[i]);
    r->values.len -= count;
    memmove(r->values.data + first, r->longer.data + first + count, (r->values.len - first) * sizeof *r->values.data);
    vm_set_window(r->vm, UINT32_MAX, UINT32_MAX); /* only the branches are looked at, not what decides them */
    VmStop stop = execute(r);
    vm_end_window(r->vm);
    if (ends_right(r, &stop) && takes_all(r, found, &needed)) {
        cut_off(r, needed);
        return true;
    }
    vec_clear(&r->values);
    for (uint32_t i = 0; i < r->longer.len; i++) vec_push(&r->values, r->longer.data[i]);
    return false;
}

/* The run with the values at hand, made as short as it can be.  What is executed last are the values that stay. */
static VmStop shorten(Refiner *r, const Record *found)
{
    uint64_t start = vm_stats(r->vm)->instructions;
    uint32_t needed, asked;
    r->end = execute(r);
    if ((r->ends_with_inputs && !ends_right(r, &r->end)) || !takes_all(r, found, &needed)) return r->end;
    asked = vm_first_asked(r->vm);
    cut_off(r, needed);
    for (uint32_t part = asked < r->values.len ? (r->values.len - asked + 1) / 2 : 0; part > 0; part /= 2)
        for (uint32_t first = asked; first + part <= r->values.len && vm_stats(r->vm)->instructions - start < MOST_SHORTENING;)
            if (!leave_out(r, found, first, part)) first += part;
    return execute(r);
}

/* ---- a run ---- */

static bool same_end(const VmStop *a, const VmStop *b)
{
    return a->kind == b->kind && a->bug == b->bug && a->loc == b->loc;
}

static void set_values(Refiner *r, const U128 *values, uint32_t count)
{
    vec_clear(&r->values);
    for (uint32_t i = 0; i < count; i++) vec_push(&r->values, values[i]);
}

static void refine_one(Refiner *r, uint32_t number, const Record *found)
{
    vec_clear(&r->values);
    for (uint32_t i = 0; i < found->inputs.len; i++) vec_push(&r->values, found->inputs.data[i].bits);
    r->ends_with_inputs = found->end == END_LIMIT || found->end == END_INPUTS;
    vm_set_doublings(r->vm, found->doublings);
    vm_pass_all_undecided(r->vm, !found->bug || strcmp(found->bug, bug_name(BUG_UNINITIALIZED)) != 0);
    VmStop stop = shorten(r, found);
    if (!vm_path_length(r->vm) && stop.kind == VM_TIME) return;
    uint32_t length = vm_path_length(r->vm), count = r->values.len;
    U128 *values = mem_alloc((count + 1) * sizeof *values);
    if (count) memcpy(values, r->values.data, count * sizeof *values);
    please_all(r);
    keep_values(r);
    VmStop again = execute(r);
    if (!same_end(&stop, &again) || vm_path_length(r->vm) != length) {
        set_values(r, values, count);
        again = execute(r);
    }
    free(values);
    Record record = {.unit = mem_strdup(found->unit), .turns = found->turns ? mem_strdup(found->turns) : NULL};
    for (uint32_t i = 0; i < found->branches.len; i++) vec_push(&record.branches, found->branches.data[i]);
    for (uint32_t i = 0; i < r->work->program->branch_count; i++)
        if (r->work->wanted[i] && vm_branches_seen(r->vm)[i]) vec_push(&record.taken, i);
    campaign__read_run(&record, r->work->program, r->vm, &again, r->work->function != NULL);
    strbuf_add_bytes(&record.output, r->output.text ? r->output.text : "", r->output.len);
    message_send_record(r->work->out, MESSAGE_REFINED, number, &record);
    record_release(&record);
}

void campaign__refine(const Work *work, const Record *records, uint32_t count)
{
    Refiner r = {.work = work};
    if (count && start(&r) == OK)
        for (uint32_t i = 0; i < count && (!work->deadline || clock_seconds() < work->deadline); i++) refine_one(&r, i, &records[i]);
    if (r.vm) vm_free(r.vm);
    if (r.pool) expr_pool_free(r.pool);
    vec_release(&r.values);
    vec_release(&r.longer);
    strbuf_release(&r.output);
}
