/* Answers about what the harness of a unit makes, for judging what a run shows. */
#include "unit/unit_int.h"

bool unit_is_parameter(const Unit *unit, const char *name)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        if (strcmp(unit->function->params[i].name, name) == 0) return true;
    }
    return false;
}

bool unit_knows(const Unit *unit, const char *name)
{
    const Decls *decls = unit->plan.units->decls;
    if (names_find(&decls->sources[unit->function->source].types, name) || strcmp(name, "sizeof") == 0) return true;
    for (uint32_t i = 0; i < decls->global_count; i++) {
        if (!decls->globals[i].is_local && strcmp(decls->globals[i].name, name) == 0) return true;
    }
    for (uint32_t i = 0; i < decls->function_count; i++) {
        if (strcmp(decls->functions[i].name, name) == 0) return true;
    }
    return false;
}

bool unit_is_pointer_parameter(const Unit *unit, const char *name)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        const CParam *param = &unit->function->params[i];
        if (strcmp(param->name, name) == 0) return param->type->kind == C_POINTER || param->type->kind == C_ARRAY;
    }
    return false;
}

/* Does some call in the project give NULL for this parameter? */
static bool is_given_null(const Unit *unit, const Shape *shape)
{
    for (uint32_t i = 0; i < unit->function->param_count; i++) {
        if (unit->params[i] == shape) return unit->function->params[i].given_null;
    }
    return false;
}

bool unit_pointer(const Unit *unit, const char *input, UnitPointer *pointer)
{
    for (uint32_t i = 0; i < unit->plan.pointers.len; i++) {
        const Shape *shape = unit->plan.pointers.data[i];
        if (strcmp(shape->name, input) != 0) continue;
        /* A field may be tested by any function: that says what it may hold. */
        bool tested = shape->use && (shape->member ? shape->use->null_tested : shape->use->tested_here);
        *pointer = (UnitPointer){shape->path, tested || is_given_null(unit, shape)};
        return true;
    }
    return false;
}

bool unit_object(const Unit *unit, const char *name, UnitObject *answer)
{
    for (uint32_t i = 0; i < unit->plan.objects.len; i++) {
        const Object *object = unit->plan.objects.data[i];
        bool named = strcmp(object->name, name) == 0 || strcmp(object->variable, name) == 0;
        if (!named || !object->pointer) continue;
        const CUse *use = object->pointer->use;
        bool text = object->value && object->value->text && use && use->string;
        bool known = object->length || object->wished || object->declared;
        *answer = (UnitObject){object->pointer->path, object->count, !known, text};
        return true;
    }
    return false;
}
