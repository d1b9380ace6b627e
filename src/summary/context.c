/* The calling state as the solver sees it, and the inputs that lead there. */
#include "summary/summary_int.h"

/* ---- the context ---- */

/* The conditions of the path up to a length, in the program's inputs. */
void context_collect(Summaries *s, uint32_t length)
{
    vec_clear(&s->context);
    for (uint32_t i = 0, level = 0; i < length; i++) {
        while (level < s->calls.len && s->calls.data[level]->path <= i) level++;
        Expr e = vm_condition(s->vm, i)->condition;
        vec_push(&s->context, level ? expr_translate(&s->calls.data[level - 1]->session.roots, e) : e);
    }
    s->options.assert_context(s->options.data, s->context.data, s->context.len);
    solver_set_effort(s->solver, PROOF_EFFORT);
}

void context_leave(Summaries *s, uint64_t effort)
{
    s->options.assert_context(s->options.data, NULL, 0);
    solver_set_effort(s->solver, effort);
}

SolveAnswer context_ask(Summaries *s, const Expr *conditions, uint32_t count)
{
    return solver_check(s->solver, conditions, count, vm_model(s->vm));
}

/* ---- models ---- */

/* The functions' own variables follow the inputs. */
static void update_formals(Summaries *s)
{
    ExprModel *model = vm_model(s->vm);
    for (uint32_t i = 0; i < s->calls.len; i++) {
        const IsolatedSession *session = &s->calls.data[i]->session;
        for (uint32_t k = 0; k < session->inputs.len; k++)
            expr_model_set(model, session->inputs.data[k].variable, expr_eval(model, session->inputs.data[k].root));
    }
}

void inputs_take(Summaries *s)
{
    uint32_t count;
    const SolveValue *changes = solver_changes(s->solver, &count);
    for (uint32_t i = 0; i < count; i++) expr_model_set(vm_model(s->vm), changes[i].var, changes[i].value);
    update_formals(s);
}

Vec_values inputs_keep(const Summaries *s)
{
    Vec_values values = {0};
    uint32_t first = s->options.parameters, count = first + vm_input_count(s->vm);
    for (uint32_t i = 0; i < count; i++) {
        Expr var = i < first ? expr_var_at(vm_pool(s->vm), i) : vm_input(s->vm, i - first);
        vec_push(&values, ((SolveValue){var, expr_model_get(vm_model(s->vm), var)}));
    }
    return values;
}

void inputs_set(Summaries *s, const Vec_values *values)
{
    for (uint32_t i = 0; i < values->len; i++) expr_model_set(vm_model(s->vm), values->data[i].var, values->data[i].value);
    update_formals(s);
}
