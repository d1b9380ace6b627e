/* For tests of the VM: one machine with a program from a text, and what it says. */
#ifndef CLEW_TEST_MACHINE_H
#define CLEW_TEST_MACHINE_H

#include "vm/vm.h"

#include "../front/load.h"

#define CONCRETE "__attribute__((annotate(\"clew.concrete\"))) "
#define PARTITION(text) "__attribute__((annotate(\"clew.partition:" text "\"))) "

typedef struct Machine {
    Program *program;
    ExprPool *pool;
    Vm *vm;
    Vec(char *) notes;
    Vec(BugKind) reports;
} Machine;

static inline void machine_note(void *data, const char *text)
{
    Machine *m = data;
    vec_push(&m->notes, mem_strdup(text));
}

static inline void machine_report(void *data, const VmReport *report)
{
    Machine *m = data;
    vec_push(&m->reports, report->bug);
}

static inline void machine_init(Machine *m, const char *text, VmOptions options)
{
    *m = (Machine){.program = load(text), .pool = expr_pool_new()};
    options.on_note = machine_note;
    options.on_report = machine_report;
    options.on_note_data = options.on_report_data = m;
    Error error;
    if (vm_new(&m->vm, m->program, m->pool, &options, &error) != OK) fail_msg("%s", error.text);
}

static inline void machine_release(Machine *m)
{
    vm_free(m->vm);
    expr_pool_free(m->pool);
    program_free(m->program);
    for (uint32_t i = 0; i < m->notes.len; i++) free(m->notes.data[i]);
    vec_release(&m->notes);
    vec_release(&m->reports);
}

/* Starts the function test with a new variable for each parameter. */
static inline void machine_start(Machine *m, Expr *variables)
{
    const Function *f = function_of(m->program, "test");
    for (uint32_t i = 0; i < f->param_count; i++) variables[i] = expr_var(m->pool, f->params[i].type.width, "v");
    Error error;
    if (vm_start_function_values(m->vm, f, variables, f->param_count, &error) != OK) fail_msg("%s", error.text);
}

/* The result of test under the model x = 0, …, as an expression. */
static inline Expr machine_result(Machine *m, Expr *variables)
{
    machine_start(m, variables);
    VmStop stop = vm_run(m->vm);
    if (stop.kind != VM_EXIT) fail_msg("%s", stop.message);
    Expr result;
    vm_result(m->vm, &result);
    return result;
}

static inline bool machine_noted(const Machine *m, const char *part)
{
    for (uint32_t i = 0; i < m->notes.len; i++)
        if (strstr(m->notes.data[i], part)) return true;
    return false;
}

#endif
