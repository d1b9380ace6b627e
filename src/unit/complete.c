/* Types that are complete somewhere: a struct that one source only declares may be defined by another, whose functions then look into it. */
#include "unit/unit_int.h"

static void add_type(Units *units, const CType *type, Map *visited)
{
    if (!type || map_find(visited, (uint64_t)(uintptr_t)type)) return;
    map_put(visited, (uint64_t)(uintptr_t)type, 1);
    if (type->kind == C_STRUCT || type->kind == C_UNION) names_put(&units->complete, type->plain, 1);
    add_type(units, type->of, visited);
    for (uint32_t i = 0; i < type->field_count; i++) add_type(units, type->fields[i].type, visited);
    for (uint32_t i = 0; i < type->param_count; i++) add_type(units, type->params[i], visited);
}

void unit__find_complete(Units *units)
{
    const Decls *decls = units->decls;
    Map visited = {0};
    for (uint32_t i = 0; i < decls->function_count; i++) add_type(units, decls->functions[i].type, &visited);
    for (uint32_t i = 0; i < decls->global_count; i++) add_type(units, decls->globals[i].type, &visited);
    map_release(&visited);
}
