/* Variables that are declared and used, but that no source defines: registers of a device, tables of another library.
 *
 * The harness and the tests define them, so that they can be inputs as other globals are.  A constant is defined as another variable behind
 * its name, which can be written:
 *
 *     static unsigned limit_value;
 *     extern const unsigned limit __attribute__((weak, alias("limit_value")));
 *
 * Weak, lest a compiler takes the constant for the 0 it starts with. */
#include "unit/unit_int.h"

#include "base/native.h"

/* The type without const, and with a number of elements. */
static const CType *writable(Units *units, const CType *type)
{
    CType *other = arena_alloc(&units->arena, sizeof *other);
    *other = *type;
    other->is_const = false;
    if (type->kind == C_ARRAY) {
        StrBuf text = {0};
        other->of = writable(units, type->of);
        if (!type->count) other->count = UNIT_ELEMENTS;
        other->size = other->count * other->of->size;
        char *brackets = unit__text(&units->arena, "[%llu]", (unsigned long long)other->count);
        unit__declare(&text, other->of, brackets);
        other->plain = other->spelling = arena_strdup(&units->arena, text.text);
        strbuf_release(&text);
    }
    return other;
}

static bool is_constant(const CType *type)
{
    return type->is_const || (type->kind == C_ARRAY && is_constant(type->of));
}

static void add_extern(Units *units, const CGlobal *global)
{
    Extern *it = arena_alloc(&units->arena, sizeof *it);
    it->global = global;
    it->type = writable(units, global->type);
    it->constant = is_constant(global->type);
    it->place = it->constant ? unit__text(&units->arena, "%s_value", global->name) : global->name;
    uint32_t number = (uint32_t)(global - units->decls->globals), main_source = units->main_source;
    it->foreign = main_source != UINT32_MAX && global->source != main_source && !unit__is_used(units->decls, number, main_source);
    if (it->foreign) {
        it->type = unit__foreign(units, it->type);
        it->place = unit__text(&units->arena, "clew__extern_%s", global->name);
        it->constant = false;
    }
    vec_push(&units->externs, it);
}

bool unit__is_used(const Decls *decls, uint32_t global, uint32_t source)
{
    for (uint32_t i = 0; i < decls->function_count; i++) {
        const CFunction *function = &decls->functions[i];
        if (!function->defined || (source != UINT32_MAX && function->source != source)) continue;
        for (uint32_t k = 0; k < function->global_count; k++) {
            if (function->globals[k].global == global) return true;
        }
    }
    return false;
}

void unit__plan_externs(Units *units)
{
    const Decls *decls = units->decls;
    for (uint32_t i = 0; i < decls->global_count; i++) {
        const CGlobal *global = &decls->globals[i];
        const CType *element = global->type;
        if (global->defined || global->is_static || global->is_local || global->in_system_header) continue;
        while (element->kind == C_ARRAY) element = element->of;
        if (element->size == 0 || !unit__is_used(decls, i, UINT32_MAX) || native_find(global->name)) continue;
        add_extern(units, global);
    }
}

const Extern *unit__extern(const Units *units, const CGlobal *global)
{
    for (uint32_t i = 0; i < units->externs.len; i++) {
        if (units->externs.data[i]->global == global) return units->externs.data[i];
    }
    return NULL;
}

/* ---- text ---- */

/* "volatile unsigned char PORT", of a constant "unsigned limit_value". */
static void declare(const Extern *it, StrBuf *out)
{
    const CType *type = it->type;
    if (type->unnamed) return strbuf_addf(out, "__typeof__(%s) %s", it->global->name, it->place);
    if (type->is_volatile && type->kind != C_POINTER) strbuf_add(out, "volatile ");
    unit__declare(out, type, it->place);
}

static void define(const Extern *it, StrBuf *out)
{
    if (it->constant) strbuf_add(out, "static ");
    declare(it, out);
    if (it->foreign) strbuf_addf(out, " __asm__(\"%s\")", it->global->name);
    strbuf_add(out, ";\n");
    if (!it->constant) return;
    StrBuf name = {0};
    const CType *element = it->global->type;
    strbuf_add(&name, it->global->name);
    for (const CType *type = it->type; type->kind == C_ARRAY; type = type->of, element = element->of)
        strbuf_addf(&name, "[%llu]", (unsigned long long)type->count);
    CType qualified = *element;
    qualified.plain = element->spelling;
    strbuf_add(out, "extern ");
    unit__declare(out, &qualified, name.text);
    strbuf_addf(out, " __attribute__((weak, alias(\"%s\")));\n", it->place);
    strbuf_release(&name);
}

void unit__define_externs(const Units *units, uint32_t source, StrBuf *out)
{
    for (uint32_t i = 0; i < units->externs.len; i++) {
        uint32_t home = units->main_source != UINT32_MAX ? units->main_source : units->externs.data[i]->global->source;
        if (home == source) define(units->externs.data[i], out);
    }
}

/* What the file of the test does not know by its name is there for the other sources alone. */
void unit__define_test_externs(const Units *units, uint32_t source, StrBuf *out)
{
    const Decls *decls = units->decls;
    for (uint32_t i = 0; i < units->externs.len; i++) {
        const Extern *it = units->externs.data[i];
        const CGlobal *global = it->global;
        strbuf_addf(out, "\n/* No source defines %s. */\n", global->name);
        if (global->source == source || unit__is_used(decls, (uint32_t)(global - decls->globals), source)) define(it, out);
        else
            strbuf_addf(out, "_Alignas(16) unsigned char %s_object[%llu] __asm__(\"%s\");\n", global->name,
                        (unsigned long long)it->type->size, global->name);
    }
}
