/* Assertions on what pointers lead to after the call: a text, numbers, the fields of a struct, as far as the record remembers the memory
 * (record.h, vm/observe.c) and all of it is initialised.
 *
 * A pointer to something that the test itself has made is compared with that (`result == text + 3`), as is one to a named global or to a
 * function; anything else is described by its contents.  Padding is never looked at, since only fields and elements are; a number that is an
 * address is left out, and so is a union, whose valid member is not known. */
#include "unit/unit_int.h"

#include "base/arith.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    DEPTH = 3,           /* pointers that are followed one after the other */
    MOST_CHECKS = 40,    /* assertions in a test; pointers are then compared with NULL only */
    SINGLE = 4,          /* so many numbers are compared one by one, more of them as an array */
    MOST_NUMBERS = 1024, /* in an array */
    MOST_TEXT = 1000,    /* characters of a literal; of a longer text the first ones and its length are compared */
    MOST_ELEMENTS = 8,   /* pointers or structs of an array */
};

typedef struct Pointee {
    uint64_t address;
    const CType *type;
    char *lvalue;
} Pointee;

typedef struct Place {
    const RecordMemory *memory;
    uint64_t offset;
} Place;

void unit__checks_release(Checks *c)
{
    for (uint32_t i = 0; i < c->known.len; i++) free(c->known.data[i].lvalue);
    vec_release(&c->known);
}

void unit__check(Checks *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char text[64];
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char *condition = mem_alloc((size_t)n + 1);
    va_start(args, format);
    vsnprintf(condition, (size_t)n + 1, format, args);
    va_end(args);
    char *statement = mem_format("%s(%s);", c->check, condition);
    unit__add_statement(c->out, statement);
    c->count++;
    free(condition);
    free(statement);
}

static bool is_nan(const CType *type, U128 bits)
{
    if (type->kind != C_FLOAT) return false;
    return type->size == 4 ? isnan(arith_f32((uint64_t)bits)) : type->size == 8 ? isnan(arith_f64((uint64_t)bits)) : isnan(arith_f80(bits));
}

void unit__check_number(Checks *c, const char *lvalue, const CType *type, uint32_t field_bits, U128 bits)
{
    U128 value = unit__normal(type, field_bits, bits);
    if (type->size == 8 && record_is_address(value)) return;
    if (is_nan(type, value)) return unit__check(c, "__builtin_isnan(%s)", lvalue);
    if (type->kind == C_BOOL) return unit__check(c, "%s%s", value ? "" : "!", lvalue);
    StrBuf literal = {0};
    unit__literal(&literal, type, value);
    unit__check(c, "%s == %s", lvalue, literal.text);
    strbuf_release(&literal);
}

/* ---- reading what is remembered ---- */

static Place place_of(const Checks *c, uint64_t address)
{
    const RecordMemory *memory = record_memory(c->run->record, 0, address);
    return (Place){memory, memory ? address - memory->address : 0};
}

static Place further(Place place, uint64_t bytes)
{
    place.offset += bytes;
    return place;
}

static bool read_bits(Place place, uint64_t size, U128 *bits)
{
    *bits = 0;
    if (size == 0 || size > 16 || !place.memory) return false;
    for (uint64_t i = 0; i < size; i++) {
        unsigned char byte;
        if (!record_byte(place.memory, place.offset + i, &byte)) return false;
        *bits |= (U128)byte << (8 * i);
    }
    return true;
}

static uint64_t room(Place place)
{
    return place.memory && place.memory->size > place.offset ? place.memory->size - place.offset : 0;
}

/* ---- texts ---- */

static bool check_text(Checks *c, const char *lvalue, Place place)
{
    StrBuf bytes = {0}, literal = {0};
    bool text = place.memory && record_text(place.memory, place.offset, &bytes);
    size_t n = bytes.len < MOST_TEXT ? bytes.len : MOST_TEXT;
    if (text) unit__string_literal(&literal, (const unsigned char *)bytes.text, n);
    if (text && n == bytes.len) {
        unit__check(c, "strcmp(%s, %s) == 0", lvalue, literal.text);
    } else if (text) {
        unit__check(c, "strlen(%s) == %zu", lvalue, bytes.len);
        unit__check(c, "memcmp(%s, %s, %zu) == 0", lvalue, literal.text, n);
    }
    strbuf_release(&bytes);
    strbuf_release(&literal);
    return text;
}

bool unit__check_text(Checks *c, const char *lvalue, uint64_t address)
{
    return check_text(c, lvalue, place_of(c, address));
}

/* ---- numbers ---- */

/* Elements that are known and can be written in an array, from the first; *given: so many of them, the rest being zero. */
static uint64_t known_numbers(const CType *type, Place place, uint64_t count, uint64_t *given)
{
    U128 bits;
    uint64_t n = 0;
    for (*given = 0; n < count && read_bits(further(place, n * type->size), type->size, &bits); n++) {
        if (is_nan(type, bits) || (type->size == 8 && record_is_address(bits))) break;
        if (bits) *given = n + 1;
    }
    return n;
}

static void check_one_by_one(Checks *c, const char *lvalue, const CType *type, Place place, uint64_t count)
{
    U128 bits;
    for (uint64_t i = 0; i < count; i++) {
        char *element = mem_format("%s[%llu]", lvalue, (unsigned long long)i);
        if (read_bits(further(place, i * type->size), type->size, &bits)) unit__check_number(c, element, type, 0, bits);
        free(element);
    }
}

static bool fits_in_array(const CType *type)
{
    return !type->unnamed && !type->is_volatile && !(type->kind == C_FLOAT && type->size > 8);
}

static void check_array(Checks *c, const char *lvalue, const CType *type, Place place, uint64_t count, uint64_t given)
{
    StrBuf list = {0};
    unsigned long long n = count;
    if (unit__is_text_char(type)) {
        unsigned char *bytes = mem_alloc(count + 1);
        for (uint64_t i = 0; i < count; i++) record_byte(place.memory, place.offset + i, &bytes[i]);
        unit__string_literal(&list, bytes, given == count ? count : given < count ? given : count);
        bool whole = given + 1 >= count; /* the literal has the last 0 */
        if (whole) unit__check(c, "memcmp(%s, %s, %llu) == 0", lvalue, list.text, n);
        else unit__check(c, "memcmp(%s, (const char[%llu]){%s}, %llu) == 0", lvalue, n, list.text, n);
        free(bytes);
        return strbuf_release(&list);
    }
    for (uint64_t i = 0; i < given; i++) {
        U128 bits = 0;
        read_bits(further(place, i * type->size), type->size, &bits);
        if (i) strbuf_add(&list, ", ");
        unit__literal(&list, type, bits);
    }
    if (!given) strbuf_add(&list, "0");
    unit__check(c, "memcmp(%s, (const %s[%llu]){%s}, %llu * sizeof(%s)) == 0", lvalue, type->plain, n, list.text, n, type->plain);
    strbuf_release(&list);
}

static bool check_numbers(Checks *c, const char *lvalue, const CType *type, Place place, uint64_t count)
{
    uint64_t given, known = known_numbers(type, place, count < MOST_NUMBERS ? count : MOST_NUMBERS, &given);
    if (known > SINGLE && fits_in_array(type)) check_array(c, lvalue, type, place, known, given);
    else check_one_by_one(c, lvalue, type, place, known);
    return known == count;
}

bool unit__check_numbers(Checks *c, const char *lvalue, const CType *type, uint64_t address, uint64_t count)
{
    uint64_t given;
    Place place = place_of(c, address);
    if (!place.memory || count > MOST_NUMBERS || known_numbers(type, place, count, &given) < count) return false;
    return check_numbers(c, lvalue, type, place, count);
}

/* ---- structs, pointers ---- */

static void check_value(Checks *c, const char *lvalue, const CType *type, Place place, uint32_t depth);

static void check_bit_field(Checks *c, const char *lvalue, const CField *field, Place place)
{
    U128 bits;
    uint64_t first = field->offset / 8, last = (field->offset + field->bits - 1) / 8;
    if (!read_bits(further(place, first), last - first + 1, &bits)) return;
    unit__check_number(c, lvalue, field->type, field->bits, bits >> (field->offset % 8) & arith_mask(field->bits));
}

static void check_fields(Checks *c, const char *lvalue, const char *dot, const CType *type, Place place, uint32_t depth)
{
    for (uint32_t i = 0; i < type->field_count && c->count < MOST_CHECKS; i++) {
        const CField *field = &type->fields[i];
        if (!field->name[0]) {
            if (field->type->kind == C_STRUCT) check_fields(c, lvalue, dot, field->type, further(place, field->offset / 8), depth);
            continue;
        }
        char *name = mem_format("%s%s%s", lvalue, dot, field->name);
        if (field->bits) check_bit_field(c, name, field, place);
        else check_value(c, name, field->type, further(place, field->offset / 8), depth);
        free(name);
    }
}

static void check_elements(Checks *c, const char *lvalue, const CType *type, Place place, uint64_t count, uint32_t depth)
{
    if (unit__is_number(type)) {
        check_numbers(c, lvalue, type, place, count);
        return;
    }
    for (uint64_t i = 0; i < count && i < MOST_ELEMENTS && c->count < MOST_CHECKS; i++) {
        U128 bits;
        bool pointer = type->kind == C_POINTER, known = pointer && read_bits(further(place, i * type->size), 8, &bits);
        char *element = mem_format("%s[%llu]", lvalue, (unsigned long long)i);
        if (!pointer || known) check_value(c, element, type, further(place, i * type->size), depth);
        free(element);
        if (pointer && (!known || bits == 0)) break; /* the end of a list of pointers */
    }
}

static void check_value(Checks *c, const char *lvalue, const CType *type, Place place, uint32_t depth)
{
    U128 bits;
    if (unit__is_number(type)) {
        if (read_bits(place, type->size, &bits)) unit__check_number(c, lvalue, type, 0, bits);
    } else if (type->kind == C_POINTER) {
        if (read_bits(place, 8, &bits)) unit__check_pointer(c, lvalue, type, (uint64_t)bits, depth + 1);
    } else if (type->kind == C_ARRAY) {
        if (!unit__is_text_char(type->of) || room(place) < type->count || !check_text(c, lvalue, place))
            check_elements(c, lvalue, type->of, place, type->count, depth);
    } else if (type->kind == C_STRUCT) {
        check_fields(c, lvalue, ".", type, place, depth);
    }
}

/* A variable that the test can name there, of the type that is pointed to, or an array of that type. */
static const CGlobal *global_there(const Checks *c, const RecordMemory *memory, const CType *to)
{
    const Unit *unit = c->run->unit;
    const Decls *decls = unit->plan.units->decls;
    for (uint32_t i = 0; i < decls->global_count && memory->kind == MEMORY_GLOBAL && memory->name[0]; i++) {
        const CGlobal *global = &decls->globals[i];
        const CType *type = global->type->kind == C_ARRAY ? global->type->of : global->type;
        if (global->is_local || global->source != unit->function->source || strcmp(global->name, memory->name) != 0) continue;
        if (unit__same_type(type, to) && to->size && !names_find(&unit->plan.names, global->name)) return global;
    }
    return NULL;
}

static bool check_global(Checks *c, const char *lvalue, const CType *to, Place place)
{
    const CGlobal *global = global_there(c, place.memory, to);
    bool array = global && global->type->kind == C_ARRAY;
    if (!global || !to->size || place.offset % to->size || (!array && place.offset)) return false;
    if (place.offset) unit__check(c, "%s == &%s[%llu]", lvalue, global->name, (unsigned long long)(place.offset / to->size));
    else unit__check(c, "%s == %s%s", lvalue, array ? "" : "&", global->name);
    return true;
}

static bool check_function(Checks *c, const char *lvalue, const RecordMemory *memory)
{
    const Unit *unit = c->run->unit;
    const CFunction *function = decls_function(unit->plan.units->decls, memory->name, unit->function->source);
    if (!function || (function->source != unit->function->source && function->is_static)) return false;
    if (!unit__is_visible(unit->plan.units, function, unit->function->source)) return false;
    unit__check(c, "%s == %s", lvalue, memory->name);
    return true;
}

/* So much of what a pointer to numbers leads to is of interest: up to the last that is not zero. */
static uint64_t numbers_there(const CType *type, Place place)
{
    assert(type->size);
    uint64_t given, count = room(place) / type->size;
    known_numbers(type, place, count < MOST_NUMBERS ? count : MOST_NUMBERS, &given);
    return given ? given : count > 0;
}

static bool check_again(Checks *c, const char *lvalue, uint64_t address, const CType *to)
{
    for (uint32_t i = 0; i < c->known.len; i++) {
        const Pointee *known = &c->known.data[i];
        if (known->address != address || !unit__same_type(known->type, to)) continue;
        unit__check(c, "%s == %s", lvalue, known->lvalue);
        return true;
    }
    Pointee pointee = {address, to, mem_strdup(lvalue)};
    vec_push(&c->known, pointee);
    return false;
}

static void check_contents(Checks *c, const char *lvalue, const CType *to, Place place, uint32_t depth)
{
    char *whole = *lvalue == '*' ? mem_format("(%s)", lvalue) : mem_strdup(lvalue);
    if (unit__is_text_char(to) && check_text(c, whole, place)) goto done;
    if (unit__is_number(to)) check_numbers(c, whole, to, place, numbers_there(to, place));
    else if (to->kind == C_STRUCT && to->size && room(place) >= to->size) check_fields(c, whole, "->", to, place, depth);
    else if (to->kind == C_POINTER) check_elements(c, whole, to, place, room(place) / 8, depth);
done:
    free(whole);
}

void unit__check_pointer(Checks *c, const char *lvalue, const CType *type, uint64_t address, uint32_t depth)
{
    StrBuf target = {0};
    bool mine = unit__run_address(c->run, address, type, &target);
    if (mine) unit__check(c, "%s == %s", lvalue, target.text);
    strbuf_release(&target);
    Place place = place_of(c, address);
    if (mine && place.memory && place.offset && unit__is_text_char(type->of)) check_text(c, lvalue, place); /* what is found in a text */
    if (mine || !place.memory) {
        if (!mine) unit__check(c, "%s != NULL", lvalue);
        return;
    }
    uint32_t before = c->count;
    const CType *to = type->of;
    if (place.memory->kind == MEMORY_FUNCTION) check_function(c, lvalue, place.memory);
    else if (to->size && check_again(c, lvalue, address, to)) return;
    else if (check_global(c, lvalue, to, place) && to->is_const) return;
    else if (depth < DEPTH && c->count < MOST_CHECKS) check_contents(c, lvalue, to, place, depth);
    if (c->count == before) unit__check(c, "%s != NULL", lvalue);
}

/* Not further than its own pointers: the rest is the business of the functions that made it. */
void unit__check_contents(Checks *c, const char *lvalue, const CType *to, uint64_t address)
{
    Place place = place_of(c, address);
    if (!place.memory || !to->size || check_again(c, lvalue, address, to)) return;
    check_contents(c, lvalue, to, place, DEPTH - 1);
}
