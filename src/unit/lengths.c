/* Which field of a struct tells how many elements a pointer in it points to, and which parameter of a prototype.
 *
 * C has no way to say it, but programmers do by name: { int *data; size_t len, cap; }.  A field named like a capacity comes first, since code that
 * walks to the count says nothing of the room behind it; then what the code shows (CField.use); then a field named like a count.  Names
 * count where the struct has but one such pointer, or where those of pointer and length belong together ("name", "name_len"). */
#include "unit/unit_int.h"

#include <stdio.h>
#include <strings.h>

static const char *const capacities[] = {"capacity", "cap", "alloc", "allocated", "size", "max"};
static const char *const counts[] = {"len", "length", "count", "n", "num", "used", "top", "size"};

static bool is_among(const char *name, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcasecmp(name, words[i]) == 0) return true;
    }
    return false;
}

/* "data_len", "datalen", "n_data", "ndata", "num_data" for pointer "data". */
static bool belongs(const char *field, const char *pointer, const char *const *words, size_t n)
{
    char text[256];
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++) {
            const char *underscore = k == 0 ? "_" : "";
            snprintf(text, sizeof text, "%s%s%s", pointer, underscore, words[i]);
            if (strcasecmp(field, text) == 0) return true;
            snprintf(text, sizeof text, "%s%s%s", words[i], underscore, pointer);
            if (strcasecmp(field, text) == 0) return true;
        }
    }
    return false;
}

static bool is_length_type(const CField *field)
{
    return field->type->kind == C_INT && field->bits == 0 && field->type->size <= 8 && field->name[0];
}

/* To elements, not to functions or to the next of a list. */
static bool points_to_data(const CType *in, const CType *type)
{
    if (type->kind != C_POINTER || type->of->kind == C_FUNCTION || type->of->kind == C_INCOMPLETE) return false;
    return !unit__same_type(type->of, in);
}

static uint32_t data_pointers(const CType *type)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < type->field_count; i++) n += points_to_data(type, type->fields[i].type);
    return n;
}

bool unit__is_list(const CType *type)
{
    uint32_t links = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const CType *field = type->fields[i].type;
        if (field->kind == C_POINTER && unit__same_type(field->of, type)) links++;
        else if (field->kind == C_ARRAY || field->kind == C_STRUCT || field->kind == C_UNION) return false;
    }
    return type->kind == C_STRUCT && links == 1;
}

bool unit__is_count_field(const CField *field)
{
    return is_length_type(field) && is_among(field->name, counts, COUNT_OF(counts));
}

static uint32_t by_name(const CType *type, uint32_t pointer, const char *const *words, size_t n)
{
    bool alone = data_pointers(type) == 1;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const CField *field = &type->fields[i];
        if (!is_length_type(field)) continue;
        if (belongs(field->name, type->fields[pointer].name, words, n) || (alone && is_among(field->name, words, n))) return i;
    }
    return UINT32_MAX;
}

uint32_t unit__length_field(const CType *type, uint32_t pointer)
{
    const CUse *use = type->fields[pointer].use;
    if (type->kind != C_STRUCT || !points_to_data(type, type->fields[pointer].type)) return UINT32_MAX;
    uint32_t capacity = by_name(type, pointer, capacities, COUNT_OF(capacities));
    if (capacity != UINT32_MAX) return capacity;
    bool shown = use && use->length >= 0 && (uint32_t)use->length < type->field_count;
    if (shown && is_length_type(&type->fields[use->length])) return (uint32_t)use->length;
    return by_name(type, pointer, counts, COUNT_OF(counts));
}

/* ---- parameters of functions that are only declared ---- */

/* "room", "buflen", "max_bytes", "n" */
static bool sounds_like_length(const char *name)
{
    static const char *const parts[] = {"len",   "siz",   "count", "cnt",    "room",  "capacity", "bytes",  "space",
                                        "limit", "avail", "max",   "amount", "elems", "elements", "samples"};
    static const char *const words[] = {"n", "num", "cap", "sz", "nb", "nmemb", "nitems"};
    if (is_among(name, words, COUNT_OF(words)) || strncasecmp(name, "n_", 2) == 0 || strncasecmp(name, "num_", 4) == 0) return true;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (strcasestr(name, parts[i])) return true;
    }
    return false;
}

/* A type that the project has named itself says what its numbers are: a priority is no length. */
static bool is_plain_size(const CType *type)
{
    static const char *const names[] = {"size_t", "ssize_t", "uint32_t", "uint64_t", "int32_t", "int64_t", "uint16_t", "uint8_t"};
    if (is_among(type->plain, names, COUNT_OF(names))) return true;
    return strncmp(type->plain, "unsigned", 8) == 0 || strcmp(type->plain, "int") == 0 || strcmp(type->plain, "long") == 0 ||
           strcmp(type->plain, "short") == 0;
}

/* Without names an unsigned number behind a pointer is a length if it is as wide as size_t, or if it stands behind a `void *` that is not the first parameter:
 * first comes what the caller alone knows, as in read(context, buffer, size). */
static bool is_length_param(const Stub *stub, uint32_t i, uint32_t pointer)
{
    const CType *type = stub->type->params[i], *element = stub->type->params[pointer]->of;
    if (type->kind != C_INT || type->size > 8) return false;
    const char *name = stub->function ? stub->function->params[i].name : "";
    if (name[0]) return sounds_like_length(name);
    if (!is_plain_size(type)) return sounds_like_length(type->plain);
    bool size = !type->is_signed && (type->size == 8 || (type->size == 4 && element->kind == C_VOID && pointer > 0));
    return size || element->kind == C_CHAR;
}

uint32_t unit__length_param(const Stub *stub, uint32_t pointer)
{
    bool named = stub->function && stub->function->params[pointer].name[0];
    uint32_t count = stub->type->param_count, last = named ? count : pointer + 2;
    for (uint32_t i = pointer + 1; i < count && i < last; i++) {
        if (is_length_param(stub, i, pointer)) return i;
    }
    return named && pointer > 0 && is_length_param(stub, pointer - 1, pointer) ? pointer - 1 : UINT32_MAX;
}
