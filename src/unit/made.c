/* Objects that the project's own functions make.
 *
 * Memory with any contents is no hash map: what a constructor establishes, and every function of the project relies on, does not hold there.
 * So a pointer parameter whose type has constructors (makers.c) may also point to an object that one of them has made and up to UNIT_STEPS
 * other functions have changed, as a user's code would do it:
 *
 *     static void clew__make_sdslen_s(void)
 *     {
 *         switch (clew__way_sdslen_s) {
 *         case 0: clew__o_sdslen_s = sdsempty(); break;
 *         case 1: clew__o_sdslen_s = sdsnew(clew__m_sdslen_0); break;
 *         default: return;
 *         }
 *         …
 *
 * Which functions are called are inputs, as are their arguments.  Each choice is a path of its own, constructors before memory with any
 * contents.  The test makes the same calls.  What goes wrong while the object is made is a matter of the functions that make it: the machine
 * treats it as an assumption that does not hold (vm/report.c knows the function by its name).  After the call the object is released, if a
 * function is known for that and the machine sees it succeed. */
#include "unit/unit_int.h"

#include <stdlib.h>

/* ---- the plan ---- */

static void plan_number(Plan *plan, const Shape *shape)
{
    bool is_signed = shape->type->is_signed;
    if (shape->kind != SHAPE_NUMBER || shape->type->kind != C_INT || shape->type->size < 2) return;
    Bound bound = {.number = shape, .has_least = is_signed, .least = is_signed ? -UNIT_MADE_NUMBER : 0, .most = UNIT_MADE_NUMBER};
    vec_push(&plan->bounds, bound);
}

/* NULL only where the function looks for it, or only keeps the pointer. */
static bool is_never_null(const CParam *param)
{
    const CUse *use = &param->use;
    if (param->type->kind != C_POINTER || use->null_tested) return false;
    return param->type->of->kind != C_VOID || use->dereferenced || use->read || use->written || use->string || use->length >= 0;
}

static Where arg_where(Plan *plan, const CFunction *function, uint32_t i, const char *prefix)
{
    Arena *arena = &plan->units->arena;
    const CParam *param = &function->params[i];
    const char *name = param->name[0] ? param->name : unit__text(arena, "argument%u", i + 1);
    Where where = {.use = &param->use, .nonnull = is_never_null(param), .is_arg = true};
    where.name = unit__text(arena, "%s.%s", prefix, name);
    where.path = unit__text(arena, "%s.%s", function->name, name);
    where.test = name;
    where.place = unit__text(arena, "clew__m_%s_%u", plan->owner, plan->shapes.len);
    where.siblings = (Siblings){.known = true, .function = function, .number = i};
    where.declared = param->type->kind == C_ARRAY ? param->type->count : param->use.declared;
    return where;
}

static Shape *plan_arg(Plan *plan, const MadeCall *call, uint32_t i, const char *prefix)
{
    const CParam *param = &call->function->params[i];
    Where where = arg_where(plan, call->function, i, prefix);
    int32_t length = param->use.length;
    if (length >= 0 && (uint32_t)length < call->function->param_count) {
        const Shape *number = call->args[length];
        if (number && number->kind == SHAPE_NUMBER && number->type->kind == C_INT) where.length = number;
    }
    const CType *type = unit__adjusted(plan->units, param->type);
    Made *made = type->kind == C_POINTER ? unit__made(plan, type, &where, true) : NULL;
    if (made) {
        Shape *shape = unit__shape_new(plan, SHAPE_POINTER, type, &where);
        shape->made = made;
        made->always = true;
        return shape;
    }
    Shape *shape = unit__shape(plan, type, &where);
    plan_number(plan, shape);
    return shape;
}

static MadeCall plan_call(Plan *plan, const MadeCall *found, const char *prefix)
{
    MadeCall call = *found;
    const CFunction *function = call.function;
    call.args = arena_alloc(&plan->units->arena, (function->param_count + 1) * sizeof *call.args);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < function->param_count; i++) {
            CTypeKind kind = function->params[i].type->kind;
            if (i == call.self || (kind == C_POINTER || kind == C_ARRAY) != (pass == 1)) continue;
            call.args[i] = plan_arg(plan, &call, i, unit__text(&plan->units->arena, "%s.%s", prefix, function->name));
        }
    }
    return call;
}

static const CType *made_type(const MadeCall *maker)
{
    if (maker->by == MADE_AS_RESULT) return maker->function->result;
    const CType *param = maker->function->params[maker->self].type;
    return maker->by == MADE_THROUGH ? param->of : param;
}

static Object *made_object(Plan *plan, const CType *type, const Where *where)
{
    Arena *arena = &plan->units->arena;
    Object *object = arena_alloc(arena, sizeof *object);
    object->type = type->of->size ? type->of : &unit__byte;
    object->heap = true;
    object->count = 1;
    object->name = unit__unique(plan, unit__stem(plan, where->test));
    object->variable = unit__text(arena, "clew__o_%s_%s", plan->owner, object->name);
    object->place = unit__text(arena, "(*%s)", object->variable);
    Where at = {.name = object->name, .place = object->place, .test = object->name, .path = where->path, .in = object};
    object->value = unit__shape_new(plan, SHAPE_NOTHING, object->type, &at);
    return object;
}

static void plan_changers(Plan *plan, Made *made, const Makers *makers, const Where *where)
{
    Arena *arena = &plan->units->arena;
    for (uint32_t step = 0; makers->changers.len && step < UNIT_STEPS; step++) {
        made->step[step] = unit__text(arena, "%s.step%u", where->name, step + 1);
        for (uint32_t i = 0; i < makers->changers.len; i++)
            vec_push(&made->changers[step], plan_call(plan, &makers->changers.data[i], made->step[step]));
    }
}

static bool has_room(const Plan *plan)
{
    return plan->objects.len < UNIT_OBJECTS / 2;
}

Made *unit__made(Plan *plan, const CType *type, const Where *where, bool nested)
{
    Makers makers = {0};
    Made *made = NULL;
    uint32_t depth = plan->depth;
    unit__find_makers(plan, type, nested, &makers);
    if (makers.makers.len && has_room(plan)) {
        plan->depth = UNIT_STRUCTS; /* what is assumed of arguments is not listed */
        made = arena_alloc(&plan->units->arena, sizeof *made);
        made->type = made_type(&makers.makers.data[0]);
        made->object = made_object(plan, type, where);
        made->way = unit__text(&plan->units->arena, "%s.made", where->name);
        for (uint32_t i = 0; i < makers.makers.len; i++) {
            if (makers.makers.data[i].by == MADE_IN_PLACE && !made->storage)
                made->storage = unit__unique(plan, unit__text(&plan->units->arena, "%s_object", made->object->name));
            vec_push(&made->makers, plan_call(plan, &makers.makers.data[i], made->way));
        }
        plan_changers(plan, made, &makers, where);
        made->release = makers.release;
        made->release_through = makers.release_through;
        vec_push(&plan->made, made);
        plan->depth = depth;
    }
    unit__release_makers(&makers);
    return made;
}

void unit__made_release(Made *made)
{
    vec_release(&made->makers);
    for (uint32_t i = 0; i < UNIT_STEPS; i++) vec_release(&made->changers[i]);
}

/* ---- the harness ---- */

static void declare_args(const MadeCall *call, StrBuf *out)
{
    for (uint32_t i = 0; i < call->function->param_count; i++)
        if (call->args[i]) strbuf_addf(out, "static __typeof__(%s) %s;\n", call->args[i]->type->plain, call->args[i]->place);
}

static const char *name_of(const Made *made)
{
    return made->object->variable + strlen("clew__o_");
}

static void print_call(const Made *made, const MadeCall *call, StrBuf *out)
{
    const char *variable = made->object->variable;
    for (uint32_t i = 0; i < call->function->param_count; i++)
        if (call->args[i] && call->args[i]->made)
            strbuf_addf(out, "clew__make_%s(); %s = %s; ", name_of(call->args[i]->made), call->args[i]->place,
                        call->args[i]->made->object->variable);
    if (call->by == MADE_AS_RESULT) strbuf_addf(out, "%s = ", variable);
    strbuf_addf(out, "%s(", call->function->name);
    for (uint32_t i = 0; i < call->function->param_count; i++) {
        strbuf_add(out, i ? ", " : "");
        if (call->args[i]) strbuf_add(out, call->args[i]->place);
        else strbuf_addf(out, "%s%s", call->by == MADE_THROUGH ? "&" : "", variable);
    }
    strbuf_add(out, "); break;\n");
}

static void print_makers(const Made *made, StrBuf *out)
{
    strbuf_addf(out, "    switch (clew__way_%s) {\n", name_of(made));
    for (uint32_t i = 0; i < made->makers.len; i++) {
        strbuf_addf(out, "    case %u: ", i);
        if (made->makers.data[i].by == MADE_IN_PLACE) strbuf_addf(out, "%s = &clew__m_%s; ", made->object->variable, name_of(made));
        print_call(made, &made->makers.data[i], out);
    }
    strbuf_addf(out, "    default: return;\n    }\n    clew__assume(%s != (void *)0);\n", made->object->variable);
}

static void print_changers(const Made *made, uint32_t step, StrBuf *out)
{
    if (!made->step[step]) return;
    strbuf_addf(out, "    switch (clew__step%u_%s) {\n", step + 1, name_of(made));
    for (uint32_t i = 0; i < made->changers[step].len; i++) {
        strbuf_addf(out, "    case %u: ", i + 1);
        print_call(made, &made->changers[step].data[i], out);
    }
    strbuf_addf(out, "    default: break;\n    }\n    clew__assume(%s != (void *)0);\n", made->object->variable);
}

static void declare_one(const Made *made, StrBuf *out)
{
    strbuf_addf(out, "static __typeof__(%s) %s;\nstatic unsigned clew__way_%s", made->type->plain, made->object->variable, name_of(made));
    for (uint32_t i = 0; i < UNIT_STEPS; i++)
        if (made->step[i]) strbuf_addf(out, ", clew__step%u_%s", i + 1, name_of(made));
    strbuf_add(out, ";\n");
    if (made->storage) strbuf_addf(out, "static __typeof__(%s) clew__m_%s;\n", made->type->of->plain, name_of(made));
    for (uint32_t i = 0; i < made->makers.len; i++) declare_args(&made->makers.data[i], out);
    for (uint32_t step = 0; step < UNIT_STEPS; step++)
        for (uint32_t i = 0; i < made->changers[step].len; i++) declare_args(&made->changers[step].data[i], out);
    strbuf_addf(out, "static void clew__make_%s(void)\n{\n", name_of(made));
    print_makers(made, out);
    for (uint32_t step = 0; step < UNIT_STEPS; step++) print_changers(made, step, out);
    strbuf_addf(out, "    clew__object((void *)%s, \"%s\");\n}\n", made->object->variable, made->object->name);
}

void unit__declare_made(const Plan *plan, StrBuf *out)
{
    for (uint32_t i = 0; i < plan->made.len; i++) declare_one(plan->made.data[i], out);
}

static void print_choice(const char *variable, const char *input, uint32_t most, StrBuf *out)
{
    strbuf_addf(out, "    clew__input((void *)&%s, sizeof %s, 'u', \"%s\");\n    clew__assume(%s <= %u);\n", variable, variable, input,
                variable, most);
}

static void print_arg_inputs(const MadeCall *call, StrBuf *out)
{
    for (uint32_t i = 0; i < call->function->param_count; i++)
        if (call->args[i] && !call->args[i]->made) unit__print_input(call->args[i], out);
}

static void print_inputs_of(const Made *made, StrBuf *out)
{
    char *way = mem_format("clew__way_%s", name_of(made));
    print_choice(way, made->way, made->makers.len - made->always, out);
    free(way);
    for (uint32_t i = 0; i < made->makers.len; i++) print_arg_inputs(&made->makers.data[i], out);
    for (uint32_t step = 0; step < UNIT_STEPS; step++) {
        if (!made->step[step]) continue;
        char *variable = mem_format("clew__step%u_%s", step + 1, name_of(made));
        print_choice(variable, made->step[step], made->changers[step].len, out);
        if (step) strbuf_addf(out, "    clew__assume((%s == 0) | (clew__step%u_%s != 0));\n", variable, step, name_of(made));
        free(variable);
        for (uint32_t i = 0; i < made->changers[step].len; i++) print_arg_inputs(&made->changers[step].data[i], out);
    }
}

void unit__print_made_inputs(const Plan *plan, StrBuf *out)
{
    for (uint32_t i = 0; i < plan->made.len; i++) print_inputs_of(plan->made.data[i], out);
}

void unit__print_made_params(const Unit *unit, StrBuf *out)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        const Shape *shape = unit->params[i];
        if (!shape->made) continue;
        strbuf_addf(out, "    clew__make_%s();\n", name_of(shape->made));
        strbuf_addf(out, "    if (clew__way_%s < %u) %s = (__typeof__(%s))%s;\n    else clew__any_memory();\n", name_of(shape->made),
                    shape->made->makers.len, shape->place, shape->place, shape->made->object->variable);
    }
}

/* ---- after the call ---- */

/* In functions of their own, whose name tells what the calls in them are for (campaign/shares.c). */
static void print_release(const Made *made, StrBuf *out)
{
    strbuf_addf(out, "static void clew__release_%s(__typeof__(%s) clew__it)\n{\n", name_of(made), made->type->plain);
    strbuf_addf(out, "    if (!clew__may_release((const void *)clew__it)) return;\n    %s(%sclew__it);\n", made->release->name,
                made->release_through ? "&" : "");
    strbuf_addf(out, "    clew__object((void *)0, \"%s.released\");\n}\n", made->object->name);
}

/* Is it passed to the unit itself, rather than to a function that makes or changes another object? */
bool unit__is_param_made(const Unit *unit, const Made *made)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++)
        if (unit->params[i]->made == made) return true;
    return false;
}

void unit__declare_releases(const Unit *unit, StrBuf *out)
{
    for (uint32_t i = 0; i < unit->plan.made.len; i++)
        if (unit->plan.made.data[i]->release) print_release(unit->plan.made.data[i], out);
}

static void observe_made(const Unit *unit, StrBuf *out)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        const Shape *shape = unit->params[i];
        if (shape->made && unit->function->params[i].use.written)
            strbuf_addf(out, "    clew__observe((const void *)&%s, sizeof %s, 1, 'p', \"%s.after\");\n", shape->place, shape->place,
                        shape->made->object->name);
    }
}

void unit__print_made_end(const Unit *unit, StrBuf *out)
{
    observe_made(unit, out);
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        const Made *made = unit->params[i]->made;
        if (!made || !made->release) continue;
        strbuf_addf(out, "    if (clew__way_%s < %u) clew__release_%s(%s);\n", name_of(made), made->makers.len, name_of(made),
                    made->object->variable);
    }
    for (uint32_t i = unit->plan.made.len; i-- > 0;) { /* an object that another one was made of comes after that */
        const Made *made = unit->plan.made.data[i];
        if (made->release && !unit__is_param_made(unit, made))
            strbuf_addf(out, "    clew__release_%s(%s);\n", name_of(made), made->object->variable);
    }
}
