/* What stubs are called with, and in which order: a test says it before the call under test, and each stub compares what it receives.
 *
 *     clew_expect_call("handler_stub(user = %p, name = %s, line = %d)", &user_object, "key", 3);
 *     int result = parse(…);
 *     clew_check_calls(1);
 *
 * A text, and numbers or bytes, are compared while the stub runs, since they may be gone afterwards: so many bytes as the number says that is passed
 * behind the pointer, if all of them are initialised.  A pointer to something that the test made is compared as a pointer.  A `?` stands for what is
 * not known, or is there to be written to: values that are not initialised, memory of other kinds, structs. */
#include "unit/unit_int.h"

#include <stdlib.h>

enum {
    MOST_CALLS = 16,   /* that a test describes; of others only their number is checked */
    MOST_TEXT = 200,   /* characters of a text that is compared */
    MOST_UNSIZED = 64, /* bytes behind a `void *` that are compared where no number says how many there are; guess */
};

char unit__call_letter(const CType *type)
{
    if (type->kind == C_POINTER) return 'p';
    if (type->kind == C_FLOAT) return type->size <= 8 ? 'g' : 0;
    return unit__is_number(type) && type->size <= 8 ? 'd' : 0;
}

static const RecordSeen *argument(const Record *record, uint32_t call, const char *name)
{
    for (uint32_t i = call + 1; i < record->seen.len && record->seen.data[i].type != 'k' && record->seen.data[i].type != 'o'; i++)
        if (strcmp(record->seen.data[i].name, name) == 0) return &record->seen.data[i];
    return NULL;
}

static bool add_text(const Record *record, uint32_t call, uint64_t address, StrBuf *out)
{
    const RecordMemory *memory = record_memory(record, call + 1, address);
    StrBuf bytes = {0};
    bool text = memory && record_text(memory, address - memory->address, &bytes) && bytes.len <= MOST_TEXT;
    if (text) unit__string_literal(out, (const unsigned char *)bytes.text, bytes.len);
    strbuf_release(&bytes);
    return text;
}

/* So many bytes are initialised there, and none of them is part of an address. */
static uint64_t known_bytes(const RecordMemory *memory, uint64_t offset)
{
    uint64_t n = 0;
    unsigned char byte;
    for (uint64_t word = 0; record_byte(memory, offset + n, &byte); n++) {
        word = word >> 8 | (uint64_t)byte << 56;
        if (n >= 7 && (offset + n) % 8 == 7 && record_is_address(word)) return n - 7;
    }
    return n;
}

/* The number that is passed right behind the pointer: it may be how many elements there are. */
static uint64_t number_behind(const Run *run, uint32_t call, const Stub *stub, uint32_t param)
{
    if (param + 1 >= stub->type->param_count || unit__call_letter(stub->type->params[param + 1]) != 'd') return 0;
    const RecordSeen *seen = argument(run->record, call, unit__stub_param(stub, param + 1));
    return seen && seen->defined && seen->bits < UINT32_MAX ? (uint64_t)seen->bits : 0;
}

static bool is_written(const Stub *stub, uint32_t param)
{
    for (uint32_t i = 0; i < stub->outs.len; i++)
        if (stub->outs.data[i].param == param) return true;
    return false;
}

/* The bytes behind a pointer to numbers or to memory of any kind: "(const char[4]){...}, 4ul". */
static bool add_bytes(const Run *run, uint32_t call, const Stub *stub, uint32_t param, uint64_t address, StrBuf *out)
{
    const CType *to = stub->type->params[param]->of;
    const RecordMemory *memory = record_memory(run->record, call + 1, address);
    bool any = to->kind == C_VOID;
    if (!memory || (!any && !unit__is_number(to)) || is_written(stub, param)) return false;
    uint64_t size = any ? 1 : to->size, known = known_bytes(memory, address - memory->address), given = 0;
    uint64_t count = number_behind(run, call, stub, param) * size;
    if (!count) count = any ? known < MOST_UNSIZED ? known : MOST_UNSIZED : size;
    if (count == 0 || count > known || !memory->size) return false;
    unsigned char *bytes = mem_alloc(count);
    StrBuf literal = {0};
    for (uint64_t i = 0; i < count; i++)
        if (record_byte(memory, address - memory->address + i, &bytes[i]) && bytes[i]) given = i + 1;
    unit__string_literal(&literal, bytes, given);
    strbuf_addf(out, "(const char[%llu]){%s}, %lluul", (unsigned long long)count, literal.text, (unsigned long long)count);
    strbuf_release(&literal);
    free(bytes);
    return true;
}

static bool is_nan(const CType *type, U128 bits)
{
    uint64_t fraction = type->size == 4 ? (uint64_t)bits << 41 : (uint64_t)bits << 12;
    uint32_t exponent = type->size == 4 ? (uint32_t)(bits >> 23) & 0xff : (uint32_t)(bits >> 52) & 0x7ff;
    return fraction && exponent == (type->size == 4 ? 0xffu : 0x7ffu);
}

/* The conversion for an argument, and what is compared with it. */
static const char *add_argument(const Run *run, uint32_t call, const Stub *stub, uint32_t param, StrBuf *values)
{
    const CType *type = stub->type->params[param];
    const RecordSeen *seen = argument(run->record, call, unit__stub_param(stub, param));
    char letter = unit__call_letter(type);
    StrBuf value = {0};
    const char *conversion = "?";
    if (!seen || !seen->defined || !letter) return conversion;
    if (letter == 'p') {
        if (unit__run_address(run, (uint64_t)seen->bits, type, &value)) conversion = "%p";
        else if (type->of->is_const && unit__is_text_char(type->of) && add_text(run->record, call, (uint64_t)seen->bits, &value))
            conversion = "%s";
        else if (add_bytes(run, call, stub, param, (uint64_t)seen->bits, &value)) conversion = "%m";
    } else if (letter == 'g' && !is_nan(type, seen->bits)) {
        unit__literal(&value, type, seen->bits);
        conversion = "%g";
    } else if (letter == 'd' && !(type->size == 8 && record_is_address(seen->bits))) {
        strbuf_add(&value, "(long long)");
        unit__literal(&value, type, seen->bits);
        conversion = "%d";
    }
    bool pointer = conversion[1] == 'p', sum = pointer && strchr(value.text, ' ');
    if (value.len) strbuf_addf(values, sum ? ", %s(%s)" : ", %s%s", pointer ? "(const void *)" : "", value.text);
    strbuf_release(&value);
    return conversion;
}

static const Stub *stub_named(const Run *run, const char *name)
{
    const Units *units = run->unit->plan.units;
    for (uint32_t i = 0; i < run->unit->plan.callbacks.len; i++)
        if (strcmp(run->unit->plan.callbacks.data[i]->test, name) == 0) return run->unit->plan.callbacks.data[i];
    for (uint32_t i = 0; i < units->stubs.len; i++)
        if (strcmp(units->stubs.data[i]->test, name) == 0) return units->stubs.data[i];
    return NULL;
}

static void expect_call(const Run *run, uint32_t call, StrBuf *out)
{
    const Stub *stub = stub_named(run, run->record->seen.data[call].name);
    StrBuf values = {0}, line = {0};
    if (!stub) return;
    strbuf_addf(&line, "clew_expect_call(\"%s(", stub->test);
    for (uint32_t i = 0; i < stub->type->param_count; i++) {
        strbuf_addf(&line, "%s%s = %s", i ? ", " : "", unit__stub_param(stub, i), add_argument(run, call, stub, i, &values));
    }
    strbuf_addf(&line, ")\"%s);", values.text ? values.text : "");
    unit__add_statement(out, line.text);
    strbuf_release(&line);
    strbuf_release(&values);
}

void unit_test_failures(const Record *record, StrBuf *out)
{
    NameMap calls = {0};
    for (uint32_t i = 0; i < record->inputs.len; i++) {
        const char *name = record->inputs.data[i].name;
        if (!record_is_failure(name)) continue;
        uint32_t *before = names_find(&calls, name), number = before ? *before + 1 : 1;
        names_put(&calls, name, number);
        if (record->inputs.data[i].bits) strbuf_addf(out, "    clew_fail(\"%.*s\", %u);\n", (int)strcspn(name, "("), name, number);
    }
    names_release(&calls);
}

static uint32_t count_calls(const Record *record)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < record->seen.len; i++) count += record->seen.data[i].type == 'k';
    return count;
}

void unit__print_calls(const Run *run, StrBuf *out)
{
    uint32_t count = 0;
    if (run->record->end == END_BUG || run->record->end == END_LIMIT) return;
    for (uint32_t i = 0; i < run->record->seen.len && count < MOST_CALLS; i++) {
        if (run->record->seen.data[i].type != 'k') continue;
        expect_call(run, i, out);
        count++;
    }
}

/* Was one of the unit's own stubs handed over in this run? */
static bool has_stub(const Run *run)
{
    for (uint32_t i = 0; i < run->record->inputs.len; i++) {
        const RecordInput *input = &run->record->inputs.data[i];
        for (uint32_t k = 0; input->type == 'p' && input->bits && k < run->known.len; k++)
            if (run->known.data[k].stub && run->known.data[k].address == input->bits) return true;
    }
    return false;
}

uint32_t unit__print_calls_end(const Run *run, bool checked, StrBuf *out)
{
    uint32_t count = count_calls(run->record);
    if (count == 0 && (checked || !has_stub(run))) return 0;
    if (count > MOST_CALLS)
        strbuf_addf(out, "    clew_check_calls(%u); /* the first %d of them as described above */\n", count, MOST_CALLS);
    else strbuf_addf(out, "    clew_check_calls(%u);\n", count);
    return 1;
}

/* In the stub itself. */
void unit__print_received(const Stub *stub, StrBuf *out)
{
    StrBuf values = {0}, line = {0};
    strbuf_addf(&line, "clew_called(\"%s(", stub->test);
    for (uint32_t i = 0; i < stub->type->param_count; i++) {
        const char *name = unit__stub_param(stub, i);
        char letter = unit__call_letter(stub->type->params[i]);
        strbuf_addf(&line, letter ? "%s%s = %%%c" : "%s%s = ?", i ? ", " : "", name, letter);
        if (!letter) continue;
        strbuf_addf(&values, ", %s%s", letter == 'd' ? "(long long)" : letter == 'p' ? "(const void *)" : "", name);
    }
    strbuf_addf(&line, ")\"%s);", values.text ? values.text : "");
    unit__add_statement(out, line.text);
    strbuf_release(&line);
    strbuf_release(&values);
}
