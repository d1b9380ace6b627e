/* The machine as a whole: made, run, taken down. */
#include "vm/vm.h"
#include "base/arith.h"

#include "vm/vm_int.h"

#include <stdlib.h>
#include <sys/mman.h>

#define DEFAULT_LIMIT ((uint64_t)16 << 30)

static void *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void give_back(void *p, size_t bytes)
{
    if (p) munmap(p, bytes);
}

#define FRAMES_BYTES (MAX_DEPTH * sizeof(Frame))
#define STACK_BYTES ((size_t)STACK_REGISTERS * sizeof(uint64_t))
#define EXPRESSIONS_BYTES ((size_t)STACK_REGISTERS * sizeof(Expr))

static Prepared prepared_of(const Function *f, uint32_t index)
{
    Signature signature = {f->params, f->param_count, f->results, f->result_count, f->variadic};
    return (Prepared){.function = f, .index = index, .signature = signature};
}

static Status set_up(Vm *vm, Error *error)
{
    const Program *program = vm->program;
    vm->frames = reserve(FRAMES_BYTES);
    vm->stack = reserve(STACK_BYTES);
    vm->expressions = reserve(EXPRESSIONS_BYTES);
    if (!vm->frames || !vm->stack || !vm->expressions)
        return fail(error, "cannot reserve the guest's stack (is there a limit, see `ulimit -v`?)");
    if (memory_init(&vm->memory, vm->options.memory_limit ? vm->options.memory_limit : DEFAULT_LIMIT, error) != OK) return FAILED;
    vm->consts = mem_alloc((program->const_count + 1) * sizeof *vm->consts);
    vm->symbols = mem_alloc((program->symbol_count + 1) * sizeof *vm->symbols);
    vm->prepared = mem_alloc((program->function_count + 1) * sizeof *vm->prepared);
    vm->seen = mem_alloc(program->branch_count + 1);
    vm->no_branches = mem_alloc(program->branch_count + 1);
    vm->first_asked = UINT32_MAX;
    vm->doubts_branches = program_function(program, "clew__go_on_if") != NULL;
    for (uint32_t i = 0; i < program->global_count; i++)
        if (strcmp(program->globals[i].name, "clew.unverified") == 0) vm->unverified = i + 1;
    vm->doubted = mem_alloc(program->branch_count + 1);
    vm->verified = mem_alloc(program->branch_count + 1);
    vm_end_window(vm);
    vm->seen_inputs = mem_alloc((program->branch_count + 1) * sizeof *vm->seen_inputs);
    for (uint32_t i = 0; i < program->function_count; i++) vm->prepared[i] = prepared_of(&program->functions[i], i);
    vm__mark_functions(vm);
    return vm__load_image(vm, error);
}

Status vm_new(Vm **out, const Program *program, ExprPool *pool, const VmOptions *options, Error *error)
{
    Vm *vm = mem_alloc(sizeof *vm);
    *vm = (Vm){.program = program, .pool = pool, .options = *options, .model = expr_model_new(pool)};
    vm->most_depth = options->exploring ? EXPLORED_DEPTH : MAX_DEPTH;
    *out = NULL;
    if (set_up(vm, error) != OK) {
        vm_free(vm);
        return FAILED;
    }
    *out = vm;
    return OK;
}

void vm_free(Vm *vm)
{
    if (!vm) return;
    vm__native_release(vm);
    vm__release_applications(vm);
    memory_release(&vm->memory);
    give_back(vm->frames, FRAMES_BYTES);
    give_back(vm->stack, STACK_BYTES);
    give_back(vm->expressions, EXPRESSIONS_BYTES);
    expr_model_free(vm->model);
    free(vm->consts);
    free(vm->symbols);
    free(vm->prepared);
    vm_count_branches(vm, NULL);
    free(vm->seen);
    free(vm->no_branches);
    free(vm->doubted);
    free(vm->verified);
    vec_release(&vm->doubts);
    free(vm->seen_inputs);
    free(vm->progress.registers);
    free(vm->progress.expressions);
    vec_release(&vm->allocas);
    vec_release(&vm->path);
    vec_release(&vm->marks);
    vec_release(&vm->saved_frames);
    vec_release(&vm->applications);
    vec_release(&vm->applied);
    map_release(&vm->is_applied);
    vec_release(&vm->inputs);
    vm__forget_observations(vm);
    vec_release(&vm->observations);
    vec_release(&vm->remembered);
    vec_release(&vm->bounds);
    map_release(&vm->known_inputs);
    vec_release(&vm->made_inputs);
    map_release(&vm->pointers);
    vec_release(&vm->symbolic_file_address);
    vec_release(&vm->image_bytes);
    map_release(&vm->reported);
    map_release(&vm->passed);
    map_release(&vm->on_path);
    names_release(&vm->noted);
    map_release(&vm->closures);
    map_release(&vm->const_arrays);
    expr_defined_release(&vm->defined);
    vm__release_implied(vm);
    vm__release_states(vm);
    vm__release_heads(vm);
    arena_release(&vm->arena);
    free(vm);
}

VmStop vm_run(Vm *vm)
{
    REQUIRE(vm->depth > 0 || vm->stop.kind != VM_RUNNING, "vm_run: nothing was started");
    vm->run_start = vm->stats.instructions;
    vm->run_nodes = expr_pool_count(vm->pool);
    if (vm->applied.len && vm->stop.kind == VM_RUNNING) vm__confirm_applied(vm);
    vm__execute(vm, 0);
    if (vm->doubts_branches) vm__end_doubts(vm);
    vm->stats.guest_bytes = vm->memory.live_bytes;
    vm->stats.guest_bytes_peak = vm->memory.peak_bytes;
    return vm->stop;
}

VmStop vm_run_steps(Vm *vm, uint64_t n)
{
    REQUIRE(vm->depth > 0 || vm->stop.kind != VM_RUNNING, "vm_run_steps: nothing was started");
    for (; n > 0 && vm->stop.kind == VM_RUNNING; n--) vm__step(vm);
    return vm->stop;
}

uint64_t vm_result(const Vm *vm, Expr *expression)
{
    if (expression) *expression = vm->result_expression;
    return vm->result_width < 64 ? (uint64_t)vm->result & ((1ull << vm->result_width) - 1) : (uint64_t)vm->result;
}

const Program *vm_program(const Vm *vm)
{
    return vm->program;
}

ExprPool *vm_pool(Vm *vm)
{
    return vm->pool;
}

ExprModel *vm_model(Vm *vm)
{
    return vm->model;
}

uint32_t vm_input_count(const Vm *vm)
{
    return vm->input_count;
}

Expr vm_input(const Vm *vm, uint32_t i)
{
    REQUIRE(i < vm->input_count, "the path has no such input");
    return vm->inputs.data[i].variable;
}

VmInput vm_input_info(const Vm *vm, uint32_t i)
{
    REQUIRE(i < vm->input_count, "the path has no such input");
    return vm->inputs.data[i];
}

void vm_give(Vm *vm, const U128 *values, uint32_t count)
{
    vm->given = values;
    vm->given_count = count;
    for (uint32_t i = 0; i < count && i < vm->input_count; i++) {
        Expr variable = vm->inputs.data[i].variable;
        if (!variable) continue; /* a constant */
        expr_model_set(vm->model, variable, values[i] & arith_mask(expr_width(vm->pool, variable)));
    }
}

void vm_set_window(Vm *vm, uint32_t from, uint32_t end)
{
    vm->window_from = from;
    vm->window_end = end;
}

void vm_fix_image(Vm *vm)
{
    for (uint32_t i = 0; i < vm->image_bytes.len; i++)
        if (vm->image_bytes.data[i] && vm__is_constant(vm, i))
            vm__store_bytes(vm, vm->image_bytes.data[i], 1, (Value){.bits = vm->given[i] & 0xff});
}

void vm_end_window(Vm *vm)
{
    vm->window_from = 0;
    vm->window_end = UINT32_MAX;
}

void vm_count_branches(Vm *vm, VmTaken *taken)
{
    if (taken && !vm->taken) {
        vm->kept_seen = vm->seen;
        vm->seen = vm->no_branches;
    } else if (!taken && vm->taken) {
        vm->seen = vm->kept_seen;
    }
    vm->taken = taken;
}

void vm_end_with_inputs(Vm *vm, bool ends)
{
    vm->ends_with_inputs = ends;
}

void vm_set_depth(Vm *vm, uint32_t depth)
{
    vm->depth_limit = depth;
}

void vm_set_patience(Vm *vm, uint64_t instructions, uint32_t path)
{
    vm->patience = instructions;
    vm->patience_path = path;
}

void vm_pass_undecided(Vm *vm, uint32_t loc)
{
    map_put(&vm->passed, loc, 1);
}

void vm_pass_all_undecided(Vm *vm, bool passes)
{
    vm->passes_all = passes;
}

bool vm_has_any_memory(const Vm *vm)
{
    return vm->any_memory;
}

bool vm_by_chance(const Vm *vm)
{
    return vm->by_chance;
}

uint32_t vm_branches_seen_count(const Vm *vm)
{
    return vm->seen_count;
}

bool vm_returned(const Vm *vm)
{
    return vm->returned;
}

uint32_t vm_path_length(const Vm *vm)
{
    return vm->path.len;
}

const VmCondition *vm_condition(const Vm *vm, uint32_t i)
{
    return &vec_at(&vm->path, i);
}

const uint8_t *vm_branches_seen(const Vm *vm)
{
    return vm->seen;
}

bool vm_is_unverified(Vm *vm)
{
    uint8_t is_unverified = 0;
    if (!vm->unverified) return false;
    uint64_t address = vm->symbols[vm->program->globals[vm->unverified - 1].symbol];
    return vm_read_guest(vm, address, &is_unverified, 1) == OK && (is_unverified & 1);
}

uint32_t vm_verified_count(const Vm *vm)
{
    return vm->verified_count;
}

bool vm_is_in_verified(const Vm *vm, uint32_t branch)
{
    return vm->verified[branch];
}

uint32_t vm_branch_inputs(const Vm *vm, uint32_t branch)
{
    REQUIRE(branch < vm->program->branch_count && vm->seen[branch], "no run took this branch");
    return vm->seen_inputs[branch];
}

void vm_forget_branches_seen(Vm *vm)
{
    memset(vm->seen, 0, vm->program->branch_count);
    vm->seen_count = 0;
    vm->first_asked = UINT32_MAX;
}

uint32_t vm_first_asked(const Vm *vm)
{
    return vm->first_asked;
}

bool vm_entered(const Vm *vm, uint32_t function)
{
    return vm->prepared[function].code != NULL; /* made when it is first called */
}

const VmStats *vm_stats(const Vm *vm)
{
    return &vm->stats;
}

Status vm_read_guest(Vm *vm, uint64_t address, void *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t start;
        if (!memory_contains(address + k)) return FAILED;
        const Object *object = memory_object(&vm->memory, address + k, &start);
        if (address + k - start >= object->size) return FAILED;
        ((uint8_t *)bytes)[k] = (uint8_t)vm__concrete(vm, vm__load_byte(vm, address + k));
    }
    return OK;
}
