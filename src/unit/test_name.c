/* The name of a test says what the function is given and what comes of it: "parse_with_empty_text_returns_minus_1".
 *
 * Of the parameters the first two are named that can be said in a word: NULL, an empty or a short text, a small number.  Names need not be unique; who
 * writes the file adds numbers where two tests have the same. */
#include "unit/unit_int.h"

#include <ctype.h>

enum { MOST_FACTS = 2, MOST_LETTERS = 16, LARGE = 99999 };

static void add_words(StrBuf *out, const char *text, size_t most)
{
    for (size_t i = 0; text[i] && i < most; i++) {
        char c = (char)tolower((unsigned char)text[i]);
        strbuf_addf(out, "%c", unit__is_word(c) ? c : '_');
    }
}

static bool add_number(StrBuf *out, const CType *type, U128 bits)
{
    U128 value = unit__normal(type, 0, bits);
    I128 number = (I128)value;
    if (type->kind == C_FLOAT) return false;
    if (type->kind == C_BOOL) return strbuf_add(out, value ? "true" : "false"), true;
    for (uint32_t i = 0; i < type->enumerator_count; i++) {
        if ((U128)(I128)type->enumerators[i].value != value) continue;
        add_words(out, type->enumerators[i].name, 32);
        return true;
    }
    bool letter = type->kind == C_CHAR && unit__is_text_char(type) && value < 128 && isalnum((int)value);
    if (letter) return strbuf_addf(out, "%c", (char)value), true;
    if (number < -LARGE || number > LARGE) return false;
    strbuf_addf(out, "%s%d", number < 0 ? "minus_" : "", (int)(number < 0 ? -number : number));
    return true;
}

/* "TEXT" if it is short and made of letters and digits, else nothing. */
static bool add_short_text(StrBuf *out, const unsigned char *bytes, size_t n)
{
    if (n == 0 || n > MOST_LETTERS) return false;
    for (size_t i = 0; i < n; i++)
        if (!unit__is_word((char)bytes[i])) return false;
    strbuf_add_bytes(out, bytes, n);
    return true;
}

/* ---- what it is given ---- */

static bool add_text_fact(const Run *run, const char *name, const Object *object, StrBuf *out)
{
    const Shape *value = object->value;
    unsigned char bytes[MOST_LETTERS + 1];
    size_t n = 0;
    if (!value->text) return false;
    for (; n < sizeof bytes && n < unit__run_inputs(run, value); n++)
        if ((bytes[n] = (unsigned char)unit__run_bits(run, value, n, 0)) == 0) break;
    strbuf_add(out, n ? name : "empty");
    strbuf_add(out, "_");
    return n ? add_short_text(out, bytes, n) : (strbuf_add(out, name), true);
}

static bool add_fact(const Run *run, uint32_t param, StrBuf *out)
{
    const Shape *shape = run->unit->params[param];
    const CParam *declared = &run->unit->function->params[param];
    const char *name = declared->name[0] ? declared->name : shape->name;
    if (shape->kind == SHAPE_NUMBER) {
        strbuf_addf(out, "%s_", name);
        return add_number(out, shape->type, unit__run_bits(run, shape, 0, 0));
    }
    if (shape->kind != SHAPE_POINTER) return false;
    const MadeCall *maker = shape->made ? unit__run_maker(run, shape->made) : NULL;
    if (maker) return strbuf_addf(out, "%s_from_%s", name, maker->function->name), true;
    const Object *target = unit__run_target(run, shape, 0);
    if (unit__run_bits(run, shape, 0, 0) == 0) return strbuf_addf(out, "null_%s", name), true;
    return target && add_text_fact(run, name, target, out);
}

static void add_facts(const Run *run, StrBuf *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->unit->function->param_count && count < MOST_FACTS; i++) {
        StrBuf fact = {0};
        if (add_fact(run, i, &fact)) strbuf_addf(out, "%s%s", count++ ? "_and_" : "_with_", fact.text);
        strbuf_release(&fact);
    }
}

/* ---- what comes of it ---- */

static const RecordSeen *seen_result(const Record *record)
{
    const RecordSeen *seen = record_seen(record, "result");
    return seen && seen->defined ? seen : NULL;
}

static bool add_returned_text(const Run *run, uint64_t address, StrBuf *out)
{
    const RecordMemory *memory = record_memory(run->record, 0, address);
    StrBuf text = {0};
    bool known = memory && unit__is_text_char(run->unit->result->type->of) && record_text(memory, address - memory->address, &text);
    bool said = known &&
                (text.len ? add_short_text(out, (const unsigned char *)text.text, text.len) : (strbuf_add(out, "empty_text"), true));
    strbuf_release(&text);
    return said;
}

static bool add_result(const Run *run, const RecordSeen *seen, StrBuf *out)
{
    const Shape *result = run->unit->result;
    uint64_t address = (uint64_t)seen->bits;
    if (result->kind == SHAPE_NUMBER) return add_number(out, result->type, seen->bits);
    if (result->kind != SHAPE_POINTER) return false;
    if (!address) return strbuf_add(out, "null"), true;
    for (uint32_t i = 0; i < run->unit->function->param_count; i++) {
        const Shape *param = run->unit->params[i];
        if (param->kind == SHAPE_POINTER && unit__run_bits(run, param, 0, 0) == seen->bits) return strbuf_add(out, param->name), true;
    }
    if (!add_returned_text(run, address, out)) strbuf_add(out, "pointer");
    return true;
}

static const char *first_call(const Record *record)
{
    for (uint32_t i = 0; i < record->seen.len; i++)
        if (record->seen.data[i].type == 'k') return record->seen.data[i].name;
    return NULL;
}

static void add_effect(const Run *run, StrBuf *out)
{
    const RecordSeen *result = run->unit->result ? seen_result(run->record) : NULL;
    StrBuf text = {0};
    const char *changed = NULL, *called = first_call(run->record);
    if (result && add_result(run, result, &text)) {
        strbuf_addf(out, "_returns_%s", text.text);
    } else if ((changed = unit__changed(run)) != NULL) {
        strbuf_add(out, "_changes_");
        add_words(out, changed, 40);
    } else if (called) {
        strbuf_addf(out, "_calls_%s", called);
    } else if (run->record->output.len) {
        strbuf_add(out, "_prints");
    } else if (!run->unit->result) {
        strbuf_add(out, "_changes_nothing");
    }
    strbuf_release(&text);
}

static const char *first_failure(const Record *record)
{
    for (uint32_t i = 0; i < record->inputs.len; i++)
        if (record->inputs.data[i].bits && record_is_failure(record->inputs.data[i].name)) return record->inputs.data[i].name;
    return NULL;
}

void unit_test_name(const Unit *unit, const Record *record, StrBuf *out)
{
    Run run;
    unit__run_init(&run, unit, record);
    strbuf_add(out, unit->function->name);
    add_facts(&run, out);
    const char *failure = first_failure(record);
    if (failure) strbuf_addf(out, "_when_%.*s_fails", (int)strcspn(failure, "("), failure);
    switch (record->end) {
    case END_BUG:
        strbuf_add(out, "_");
        add_words(out, record->bug ? record->bug : "bug", 40);
        break;
    case END_EXIT: strbuf_add(out, "_exits"); break;
    case END_SIGNAL: strbuf_add(out, "_is_stopped"); break;
    case END_INPUTS: strbuf_add(out, "_goes_on"); break;
    case END_IDLE: strbuf_add(out, "_idles"); break;
    case END_RETURN: add_effect(&run, out); break;
    default: break;
    }
    unit__run_release(&run);
}
