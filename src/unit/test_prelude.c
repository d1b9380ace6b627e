/* What stands around the bodies of tests: headers they need, stubs, names. */
#include "unit/unit_int.h"

#include <ctype.h>

static bool has_heap(const Plan *plan)
{
    for (uint32_t i = 0; i < plan->objects.len; i++) {
        if (plan->objects.data[i]->heap) return true;
    }
    return false;
}

static bool has_text(const Shape *shape)
{
    if (shape->text) return true;
    for (uint32_t i = 0; i < shape->parts.len; i++) {
        if (has_text(shape->parts.data[i])) return true;
    }
    return false;
}

static bool needs_strings(const Unit *unit)
{
    for (uint32_t i = 0; i < unit->plan.objects.len; i++) {
        const Object *object = unit->plan.objects.data[i];
        if ((object->written || object->heap) && has_text(object->value)) return true;
    }
    for (uint32_t i = 0; i < unit->globals.len; i++) {
        if (has_text(unit->globals.data[i])) return true;
    }
    for (uint32_t i = 0; i < unit->watched.len; i++) {
        if (has_text(unit->watched.data[i])) return true;
    }
    return false;
}

static bool has_noreturn(const Units *units)
{
    for (uint32_t i = 0; i < units->stubs.len; i++) {
        if (units->stubs.data[i]->noreturn) return true;
    }
    return false;
}

void unit_test_prelude(const Unit *unit, StrBuf *out)
{
    const Units *units = unit->plan.units;
    const CFunction *function = unit->function;
    strbuf_add(out, "#include <stddef.h>\n");
    if (has_heap(&unit->plan) || has_noreturn(units)) strbuf_add(out, "#include <stdlib.h>\n");
    if (needs_strings(unit)) strbuf_add(out, "#include <string.h>\n");
    unit__print_inlines(unit->plan.units, function->source, out);
    if (function->is_inline && !function->is_static) strbuf_addf(out, "extern __typeof__(%s) %s;\n", function->name, function->name);
    unit__define_test_externs(units, function->source, out);
    for (uint32_t i = 0; i < units->stubs.len; i++) {
        const Stub *stub = units->stubs.data[i];
        strbuf_addf(out, "\n/* No source defines %s: it gives what each test says. */\n", stub->name);
        unit__print_test_stub(stub, unit__is_visible(units, stub->function, function->source), out);
    }
    for (uint32_t i = 0; i < unit->plan.callbacks.len; i++) {
        strbuf_add(out, "\n");
        unit__print_test_stub(unit->plan.callbacks.data[i], true, out);
    }
}

/* ---- names of tests ---- */

static void add_words(StrBuf *out, const char *text, size_t most)
{
    for (size_t i = 0; text[i] && i < most; i++) {
        char c = (char)tolower((unsigned char)text[i]);
        strbuf_addf(out, "%c", unit__is_word(c) ? c : '_');
    }
}

static void add_result(const Unit *unit, const RecordSeen *seen, StrBuf *out)
{
    const CType *type = unit->result->type;
    if (unit->result->kind == SHAPE_POINTER) return strbuf_add(out, seen->bits ? "_returns_pointer" : "_returns_null");
    if (unit->result->kind != SHAPE_NUMBER || type->kind == C_FLOAT) return;
    U128 value = unit__normal(type, 0, seen->bits);
    if (type->kind == C_BOOL) return strbuf_add(out, value ? "_returns_true" : "_returns_false");
    for (uint32_t i = 0; i < type->enumerator_count; i++) {
        if ((U128)(I128)type->enumerators[i].value != value) continue;
        strbuf_add(out, "_returns_");
        return add_words(out, type->enumerators[i].name, 32);
    }
    I128 number = (I128)value;
    if (number < -99999 || number > 99999) return;
    strbuf_addf(out, "_returns_%s%d", number < 0 ? "minus_" : "", (int)(number < 0 ? -number : number));
}

static const RecordSeen *seen_result(const Record *record)
{
    for (uint32_t i = 0; i < record->seen.len; i++) {
        const RecordSeen *seen = &record->seen.data[i];
        if (seen->type != 'o' && seen->defined && strcmp(seen->name, "result") == 0) return seen;
    }
    return NULL;
}

void unit_test_name(const Unit *unit, const Record *record, uint32_t number, StrBuf *out)
{
    strbuf_add(out, unit->function->name);
    const RecordSeen *result = seen_result(record);
    if (record->end == END_BUG && record->bug) {
        strbuf_add(out, "_");
        add_words(out, record->bug, 40);
    } else if (record->end == END_EXIT) {
        strbuf_add(out, "_exits");
    } else if (record->end == END_SIGNAL) {
        strbuf_add(out, "_is_stopped");
    } else if (record->end == END_RETURN && unit->result && result) {
        add_result(unit, result, out);
    } else {
        for (uint32_t i = 0; i < unit->function->param_count; i++) {
            const RecordInput *input = unit->params[i]->kind == SHAPE_POINTER ? record_input(record, unit->params[i]->name, 0) : NULL;
            if (!input || input->bits) continue;
            strbuf_add(out, "_of_null");
            break;
        }
    }
    strbuf_addf(out, "_%u", number);
}
