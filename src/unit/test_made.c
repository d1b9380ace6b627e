/* Objects that a test makes by calls of the project's own functions (made.c):
 *
 *     sds s = sdsnew("abc");
 *     s = sdscat(s, "x");
 *     size_t result = sdslen(s);
 *     assert(result == 4u);
 *     sdsfree(s);
 *
 * They are released as far as the machine has seen it succeed. */
#include "unit/unit_int.h"

#include <stdio.h>

static void print_one(Run *run, const Made *made, StrBuf *out);

static void add_arg(Run *run, const Shape *arg, StrBuf *line)
{
    const Object *target = arg->kind == SHAPE_POINTER && !arg->made ? unit__run_target(run, arg, 0) : NULL;
    if (!target || !unit__run_is_literal(run, target)) return unit__run_value(run, arg, 0, line);
    if (!unit__run_initialiser(run, target->value, 0, line)) strbuf_add(line, "\"\"");
}

static void print_call(Run *run, const Made *made, const MadeCall *call, bool declares, StrBuf *out)
{
    const char *name = made->object->name;
    StrBuf line = {0};
    for (uint32_t i = 0; i < call->function->param_count; i++)
        if (call->args[i] && call->args[i]->made) print_one(run, call->args[i]->made, out);
    if (declares) unit__declare(&line, made->type, name);
    else if (call->by == MADE_AS_RESULT) strbuf_add(&line, name);
    strbuf_addf(&line, "%s%s(", call->by == MADE_AS_RESULT ? " = " : "", call->function->name);
    for (uint32_t i = 0; i < call->function->param_count; i++) {
        if (i) strbuf_add(&line, ", ");
        if (call->args[i]) add_arg(run, call->args[i], &line);
        else strbuf_addf(&line, "%s%s", call->by == MADE_THROUGH ? "&" : "", name);
    }
    strbuf_add(&line, ");");
    unit__add_statement(out, line.text);
    strbuf_release(&line);
}

/* What a constructor wants before it is called. */
static void declare(const Made *made, const MadeCall *maker, StrBuf *out)
{
    StrBuf line = {0};
    if (maker->by == MADE_IN_PLACE) {
        unit__declare(&line, made->type->of, made->storage);
        strbuf_add(&line, " = {0};");
        unit__add_statement(out, line.text);
        strbuf_clear(&line);
    }
    unit__declare(&line, made->type, made->object->name);
    if (maker->by == MADE_IN_PLACE) strbuf_addf(&line, " = &%s;", made->storage);
    else strbuf_add(&line, " = NULL;");
    unit__add_statement(out, line.text);
    strbuf_release(&line);
}

static void print_one(Run *run, const Made *made, StrBuf *out)
{
    const MadeCall *maker = unit__run_maker(run, made);
    if (!maker) return;
    bool declares = maker->by == MADE_AS_RESULT;
    if (!declares) declare(made, maker, out);
    print_call(run, made, maker, declares, out);
    for (uint32_t step = 0; step < UNIT_STEPS; step++) {
        const MadeCall *changer = unit__run_changer(run, made, step);
        if (changer) print_call(run, made, changer, false, out);
    }
}

void unit__print_made(Run *run, StrBuf *out)
{
    const Unit *unit = run->unit;
    for (uint32_t i = 0; i < unit->function->param_count; i++)
        if (unit->params[i]->made) print_one(run, unit->params[i]->made, out);
}

static void print_release(const Run *run, const Made *made, StrBuf *out)
{
    const char *name = made->object->name;
    if (!unit__is_noted(run, name, "released")) return;
    strbuf_addf(out, "    %s(%s%s);\n", made->release->name, made->release_through ? "&" : "", name);
}

void unit__print_made_release(const Run *run, StrBuf *out)
{
    const Unit *unit = run->unit;
    if (run->record->end != END_RETURN) return;
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        const Made *made = unit->params[i]->made;
        if (!made || !made->release || !unit__run_maker(run, made)) continue;
        print_release(run, made, out);
    }
    for (uint32_t i = unit->plan.made.len; i-- > 0;) {
        const Made *made = unit->plan.made.data[i];
        if (made->release && !unit__is_param_made(unit, made)) print_release(run, made, out);
    }
}

void unit__check_made(Checks *c)
{
    const Unit *unit = c->run->unit;
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        const Made *made = unit->params[i]->made;
        if (!made || !unit__run_maker(c->run, made)) continue;
        char name[256];
        snprintf(name, sizeof name, "%s.after", made->object->name);
        const RecordSeen *seen = record_seen(c->run->record, name);
        if (seen && seen->defined && seen->bits)
            unit__check_contents(c, made->object->name, unit->params[i]->type->of, (uint64_t)seen->bits);
    }
}
