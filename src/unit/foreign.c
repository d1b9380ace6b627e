/* Foreign types: what a whole program lacks stands in the file of main, in the harness as in the tests; but a function or a variable that only
 * another source uses may have types that this file does not know.  It is then written with types of the same layout,
 *
 *     typedef struct { int id; short kind; } clew__type_1;
 *
 * and under another name in C, with its own for the linker. */
#include "unit/unit_int.h"

static const CType *make_foreign(Units *units, const CType *type);

static const CType *foreign_pointer(Units *units, const CType *type, CType *other)
{
    const CType *to = type->of;
    bool known = unit__is_number(to) || to->kind == C_POINTER ||
                 ((to->kind == C_STRUCT || to->kind == C_UNION) && !unit__is_system_type(to));
    if (known || to->kind == C_FUNCTION) other->of = make_foreign(units, to);
    other->plain = known ? unit__text(&units->arena, "%s%s *", to->is_const ? "const " : "", other->of->plain) : "void *";
    return other;
}

static const CType *foreign_function(Units *units, const CType *type, CType *other)
{
    const CType **params = arena_alloc(&units->arena, (type->param_count + 1) * sizeof *params);
    for (uint32_t i = 0; i < type->param_count; i++) params[i] = make_foreign(units, type->params[i]);
    other->params = params;
    other->of = make_foreign(units, type->of);
    return other;
}

static const CType *foreign_array(Units *units, const CType *type, CType *other)
{
    StrBuf text = {0};
    other->of = make_foreign(units, type->of);
    char *brackets = unit__text(&units->arena, "[%llu]", (unsigned long long)type->count);
    unit__declare(&text, other->of, brackets);
    other->plain = arena_strdup(&units->arena, text.text);
    strbuf_release(&text);
    return other;
}

static const CType *foreign_struct(Units *units, const CType *type, CType *other)
{
    CField *fields = arena_alloc(&units->arena, (type->field_count + 1) * sizeof *fields);
    other->plain = unit__text(&units->arena, "clew__type_%u", ++units->foreign_count);
    other->unnamed = false;
    strbuf_add(&units->foreign_text, "typedef ");
    unit__declare_layout(&units->foreign_text, type, other->plain);
    strbuf_add(&units->foreign_text, ";\n");
    for (uint32_t i = 0; i < type->field_count; i++) {
        fields[i] = type->fields[i];
        fields[i].type = make_foreign(units, type->fields[i].type);
    }
    other->fields = fields;
    return other;
}

static const CType *make_foreign(Units *units, const CType *type)
{
    uint64_t *known = map_find(&units->foreign, (uintptr_t)type);
    if (known) return (const CType *)(uintptr_t)*known;
    CType *other = arena_alloc(&units->arena, sizeof *other);
    *other = *type;
    map_put(&units->foreign, (uintptr_t)type, (uintptr_t)other);
    switch (type->kind) {
    case C_POINTER: foreign_pointer(units, type, other); break;
    case C_FUNCTION: foreign_function(units, type, other); break;
    case C_ARRAY: foreign_array(units, type, other); break;
    case C_STRUCT:
    case C_UNION:
        if (!unit__is_system_type(type)) foreign_struct(units, type, other);
        break;
    default:
        if (unit__is_number(type)) other->plain = unit__is_text_char(type) ? "char" : unit__builtin_name(type);
    }
    other->spelling = other->plain;
    return other;
}

const CType *unit__foreign(Units *units, const CType *type)
{
    return make_foreign(units, type);
}
