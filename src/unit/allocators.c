/* Pointers to the functions that manage memory.
 *
 * A program that lets its user choose the allocator keeps pointers to functions with the types of malloc, realloc and free.  A stub that returns
 * anything breaks what every caller of an allocator relies on, so such a pointer gets the library's function instead, or one that always
 * fails.  The types and a name
 * with "alloc" tell the allocators; free has the type of many callbacks, so it is the first pointer of that type behind an allocator in the same
 * struct, parameter list or source. */
#include "unit/unit_int.h"

#include <ctype.h>

static bool is_memory(const CType *type)
{
    return type->kind == C_POINTER && type->of->kind == C_VOID;
}

static bool is_size(const CType *type)
{
    return type->kind == C_INT && type->size == 8 && !type->is_signed;
}

/* "malloc", "calloc", "realloc", "free" by the type alone; NULL: none of them. */
static const char *by_type(const CType *type)
{
    if (type->variadic || !type->of) return NULL;
    bool gives = is_memory(type->of), nothing = type->of->kind == C_VOID;
    const CType *const *params = type->params;
    if (type->param_count == 1 && gives && is_size(params[0])) return "malloc";
    if (type->param_count == 1 && nothing && is_memory(params[0])) return "free";
    if (type->param_count != 2 || !gives || !is_size(params[1])) return NULL;
    return is_size(params[0]) ? "calloc" : is_memory(params[0]) ? "realloc" : NULL;
}

static bool has_alloc(const char *name)
{
    for (; name && *name; name++) {
        size_t i = 0;
        while (i < 5 && tolower((unsigned char)name[i]) == "alloc"[i]) i++;
        if (i == 5) return true;
    }
    return false;
}

static const char *sibling(const Plan *plan, const Siblings *siblings, uint32_t i, const CType **type)
{
    if (siblings->function) {
        *type = siblings->function->params[i].type;
        return siblings->function->params[i].name;
    }
    if (siblings->parent) {
        *type = siblings->parent->fields[i].type;
        return siblings->parent->fields[i].name;
    }
    const CGlobal *globals = plan->units->decls->globals;
    *type = globals[i].type;
    return globals[i].source == globals[siblings->number].source && !globals[i].is_local ? globals[i].name : NULL;
}

/* Does an allocator stand before it, with no other pointer of the type of free between the two? */
static bool frees_for_allocator(const Plan *plan, const Siblings *siblings)
{
    for (uint32_t i = siblings->number; i-- > 0;) {
        const CType *type;
        const char *name = sibling(plan, siblings, i, &type), *like = NULL;
        if (name && type->kind == C_POINTER && type->of->kind == C_FUNCTION) like = by_type(type->of);
        if (like && strcmp(like, "free") == 0) return false;
        if (like && has_alloc(name)) return true;
    }
    return false;
}

const char *unit__allocator(Plan *plan, const CType *type, const Where *where)
{
    const char *name = by_type(type);
    if (!name || !where->siblings.known) return NULL;
    const CType *own;
    bool frees = strcmp(name, "free") == 0;
    if (frees ? !frees_for_allocator(plan, &where->siblings) : !has_alloc(sibling(plan, &where->siblings, where->siblings.number, &own)))
        return NULL;
    for (uint32_t i = 0; i < plan->library.len; i++)
        if (strcmp(plan->library.data[i], name) == 0) return name;
    vec_push(&plan->library, name);
    return name;
}

/* What always fails; NULL: the function cannot. */
const char *unit__failing(const char *library)
{
    switch (library[0]) {
    case 'm': return "failing_malloc";
    case 'c': return "failing_calloc";
    case 'r': return "failing_realloc";
    default: return NULL;
    }
}

static void print_failing(const char *library, StrBuf *out)
{
    const char *params = library[0] == 'm' ? "" : library[0] == 'c' ? "size_t count, " : "void *memory, ";
    const char *unused = library[0] == 'm' ? "" : library[0] == 'c' ? "    (void)count;\n" : "    (void)memory;\n";
    strbuf_addf(out, "\nstatic void *%s(%ssize_t size)\n{\n%s    (void)size;\n    return NULL;\n}\n", unit__failing(library), params,
                unused);
}

void unit__print_failing(const Plan *plan, StrBuf *out)
{
    for (uint32_t i = 0; i < plan->library.len; i++)
        if (unit__failing(plan->library.data[i])) print_failing(plan->library.data[i], out);
}
