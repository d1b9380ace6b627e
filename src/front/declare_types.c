/* libclang's types as CTypes.  A type is interned under the parser's own (unique) pointer before it is filled, so recursive types end; the
 * fields of a struct and the enumerators of an enum are read once and shared by all spellings of it, so that two types of one source are
 * the same struct exactly if their `fields` are the same table.
 *
 * Every spelling can be written at the end of its translation unit.  A struct without a name can as well, by what it is the type of (a
 * field, a typedef of a pointer to it): `__typeof__(((struct box *)0)->corner)`; those are marked as unnamed all the same. */
#include "front/declare_int.h"

#include <stdlib.h>

CXType declare__strip(CXType type)
{
    for (;;) {
        switch (type.kind) {
        case CXType_Typedef: type = clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(type)); break;
        case CXType_Elaborated: type = clang_Type_getNamedType(type); break;
        case CXType_Attributed: type = clang_Type_getModifiedType(type); break;
        case CXType_Atomic: type = clang_Type_getValueType(type); break;
        case CXType_Unexposed: {
            CXType canonical = clang_getCanonicalType(type);
            if (canonical.kind == CXType_Unexposed) return type;
            type = canonical;
            break;
        }
        default: return type;
        }
    }
}

static CTypeKind scalar_kind(CXType type, bool *is_signed)
{
    *is_signed = false;
    switch (type.kind) {
    case CXType_Void: return C_VOID;
    case CXType_Bool: return C_BOOL;
    case CXType_Char_S:
    case CXType_SChar: *is_signed = true; return C_CHAR;
    case CXType_Char_U:
    case CXType_UChar: return C_CHAR;
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
    case CXType_WChar:
    case CXType_Int128: *is_signed = true; return C_INT;
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
    case CXType_Char16:
    case CXType_Char32:
    case CXType_UInt128: return C_INT;
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble: *is_signed = true; return C_FLOAT;
    default: return C_OTHER;
    }
}

/* ---- spelling ---- */

/* A type that is named by an expression may not be nameable elsewhere; what it stands for is.  That a function does not return cannot be
 * said where a type stands alone. */
static const char *spell(Declarer *d, CXType type)
{
    static const char attribute[] = " __attribute__((noreturn))";
    char *text = (char *)declare__keep(&d->decls->arena, clang_getTypeSpelling(type));
    if (strstr(text, "typeof") || strstr(text, "__auto_type"))
        text = (char *)declare__keep(&d->decls->arena, clang_getTypeSpelling(clang_getCanonicalType(type)));
    for (char *found; (found = strstr(text, attribute));) {
        char *rest = found + sizeof attribute - 1;
        memmove(found, rest, strlen(rest) + 1);
    }
    return text;
}

static bool is_unwritable(const CType *type)
{
    return strstr(type->spelling, "(unnamed") || strstr(type->spelling, "(anonymous");
}

/* Names the types of fields by the record they are of.  Those of an anonymous member are its parent's. */
static void name_fields(Declarer *d, const CType *record, const CType *of)
{
    for (uint32_t i = 0; i < of->field_count; i++) {
        const CField *field = &of->fields[i];
        if (!field->type || field->bits) continue; /* without a type: it is being read just now */
        char *access = field->name[0] ? mem_format("((%s *)0)->%s", record->plain, field->name) : NULL;
        if (access) declare__name_type(d, field->type, access);
        else name_fields(d, record, field->type);
        free(access);
    }
}

/* The types made of this one are named as well. */
void declare__name_type(Declarer *d, const CType *type, const char *expression)
{
    CType *unnamed = (CType *)type; /* ours, and still being built */
    if (!is_unwritable(type)) return;
    char *plain = mem_format("__typeof__(%s)", expression);
    char *text = mem_format("%s%s%s", type->is_const ? "const " : "", type->is_volatile ? "volatile " : "", plain);
    unnamed->plain = arena_strdup(&d->decls->arena, plain);
    unnamed->spelling = arena_strdup(&d->decls->arena, text);
    free(plain);
    free(text);
    if (type->kind == C_ARRAY || type->kind == C_POINTER) {
        char *element = mem_format("*(%s)", expression);
        declare__name_type(d, type->of, element);
        free(element);
    }
    name_fields(d, type, type);
}

/* ---- records and enums ---- */

typedef struct Reading {
    Declarer *d;
    Vec(CXCursor) cursors;
} Reading;

static enum CXVisitorResult note_field(CXCursor cursor, CXClientData data)
{
    Reading *reading = data;
    vec_push(&reading->cursors, cursor);
    return CXVisit_Continue;
}

static enum CXChildVisitResult note_enumerator(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Reading *reading = data;
    if (clang_getCursorKind(cursor) == CXCursor_EnumConstantDecl) vec_push(&reading->cursors, cursor);
    return CXChildVisit_Continue;
}

typedef struct Record {
    CField *fields;
    CEnumerator *enumerators;
    uint32_t count;
} Record;

static bool is_padding(CXCursor field)
{
    if (!clang_Cursor_isBitField(field)) return false;
    CXString name = clang_getCursorSpelling(field);
    bool empty = !clang_getCString(name)[0];
    clang_disposeString(name);
    return empty;
}

static void fill_field(Declarer *d, CXCursor cursor, CField *field)
{
    CXType type = clang_getCursorType(cursor);
    bool anonymous = clang_Cursor_isAnonymousRecordDecl(clang_getTypeDeclaration(type));
    long long offset = clang_Cursor_getOffsetOfField(cursor);
    field->name = anonymous ? "" : declare__keep(&d->decls->arena, clang_getCursorSpelling(cursor));
    if (strchr(field->name, '(')) field->name = "";
    field->bits = clang_Cursor_isBitField(cursor) ? (uint32_t)clang_getFieldDeclBitWidth(cursor) : 0;
    field->offset = offset > 0 ? (uint64_t)offset : 0;
    field->type = declare__type(d, type);
}

/* Their use is filled in when it is known. */
static void note_pointers(Declarer *d, Record *record, const Reading *reading)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < reading->cursors.len; i++) {
        if (is_padding(reading->cursors.data[i])) continue;
        CField *field = &record->fields[n++];
        /* What it points to may be being read just now: it is a struct then. */
        bool data = field->type->kind == C_POINTER && (!field->type->of || field->type->of->kind != C_FUNCTION);
        data |= field->type->kind == C_ARRAY && field->type->of && field->type->of->kind == C_CHAR;
        if (data) vec_push(&d->slots, ((FieldSlot){field, record->fields, record->count, declare__field(d, reading->cursors.data[i])}));
    }
}

static Record *read_fields(Declarer *d, CXType type, Record *record)
{
    Reading reading = {.d = d};
    clang_Type_visitFields(type, note_field, &reading);
    record->fields = arena_alloc(&d->decls->arena, reading.cursors.len * sizeof *record->fields);
    for (uint32_t i = 0; i < reading.cursors.len; i++) record->count += !is_padding(reading.cursors.data[i]);
    uint32_t n = 0;
    for (uint32_t i = 0; i < reading.cursors.len; i++)
        if (!is_padding(reading.cursors.data[i])) fill_field(d, reading.cursors.data[i], &record->fields[n++]);
    note_pointers(d, record, &reading);
    vec_release(&reading.cursors);
    return record;
}

static Record *read_enumerators(Declarer *d, CXCursor declaration, Record *record)
{
    Reading reading = {.d = d};
    clang_visitChildren(declaration, note_enumerator, &reading);
    record->count = reading.cursors.len;
    record->enumerators = arena_alloc(&d->decls->arena, reading.cursors.len * sizeof *record->enumerators);
    for (uint32_t i = 0; i < reading.cursors.len; i++) {
        CXCursor cursor = reading.cursors.data[i];
        record->enumerators[i] =
            (CEnumerator){declare__keep(&d->decls->arena, clang_getCursorSpelling(cursor)), clang_getEnumConstantDeclValue(cursor)};
    }
    vec_release(&reading.cursors);
    return record;
}

/* The members of a struct, union or enum; read at the first question. */
static Record *record_of(Declarer *d, CXType type)
{
    CXCursor declaration = clang_getTypeDeclaration(type);
    uint64_t key = declare__key(declaration);
    uint64_t *known = map_find(&d->records, key);
    if (known) return (Record *)(uintptr_t)*known;
    Record *record = arena_alloc(&d->decls->arena, sizeof *record);
    map_put(&d->records, key, (uintptr_t)record);
    return type.kind == CXType_Enum ? read_enumerators(d, declaration, record) : read_fields(d, type, record);
}

static void fill_record(Declarer *d, CXType bare, CType *type)
{
    CXCursor declaration = clang_getTypeDeclaration(bare);
    bool is_union = clang_getCursorKind(declaration) == CXCursor_UnionDecl;
    type->unnamed = clang_Cursor_isAnonymous(declaration);
    if (clang_Type_getSizeOf(bare) < 0) {
        type->kind = C_INCOMPLETE;
        return;
    }
    if (bare.kind == CXType_Enum) {
        bool is_signed;
        type->kind = C_ENUM;
        scalar_kind(declare__strip(clang_getEnumDeclIntegerType(declaration)), &is_signed);
        type->is_signed = is_signed;
    } else {
        type->kind = is_union ? C_UNION : C_STRUCT;
    }
    Record *record = record_of(d, bare);
    type->fields = record->fields;
    type->enumerators = record->enumerators;
    type->field_count = record->fields ? record->count : 0;
    type->enumerator_count = record->enumerators ? record->count : 0;
    if (!is_unwritable(type)) name_fields(d, type, type);
}

/* ---- types made of others ---- */

const CType *declare__param_type(Declarer *d, CXType type, CXType function, uint32_t number)
{
    CXType bare = declare__strip(type), canonical = clang_getCanonicalType(function);
    bool decays = bare.kind == CXType_ConstantArray || bare.kind == CXType_IncompleteArray || bare.kind == CXType_VariableArray ||
                  bare.kind == CXType_FunctionProto || bare.kind == CXType_FunctionNoProto;
    if (decays && number < (uint32_t)clang_getNumArgTypes(canonical)) type = clang_getArgType(canonical, number);
    return declare__type(d, type);
}

static void fill_function(Declarer *d, CXType bare, CType *type)
{
    int count = clang_getNumArgTypes(bare);
    type->kind = C_FUNCTION;
    type->of = declare__type(d, clang_getResultType(bare));
    type->variadic = clang_isFunctionTypeVariadic(bare);
    type->param_count = count > 0 ? (uint32_t)count : 0;
    const CType **params = arena_alloc(&d->decls->arena, type->param_count * sizeof *params);
    for (uint32_t i = 0; i < type->param_count; i++) params[i] = declare__param_type(d, clang_getArgType(bare, i), bare, i);
    type->params = params;
}

static void fill(Declarer *d, CXType bare, CType *type)
{
    switch (bare.kind) {
    case CXType_Pointer:
        type->kind = C_POINTER;
        type->of = declare__type(d, clang_getPointeeType(bare));
        break;
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
        type->kind = C_ARRAY;
        type->of = declare__type(d, clang_getArrayElementType(bare));
        type->count = bare.kind == CXType_ConstantArray ? (uint64_t)clang_getArraySize(bare) : 0;
        break;
    case CXType_Record:
    case CXType_Enum: fill_record(d, bare, type); break;
    case CXType_FunctionProto:
    case CXType_FunctionNoProto: fill_function(d, bare, type); break;
    default: type->kind = scalar_kind(bare, &type->is_signed);
    }
}

const CType *declare__type(Declarer *d, CXType cursor_type)
{
    uint64_t key = (uintptr_t)cursor_type.data[0];
    uint64_t *known = map_find(&d->types, key);
    if (known) return (const CType *)(uintptr_t)*known;
    CType *type = arena_alloc(&d->decls->arena, sizeof *type);
    map_put(&d->types, key, (uintptr_t)type);
    CXType canonical = clang_getCanonicalType(cursor_type);
    long long size = clang_Type_getSizeOf(cursor_type), align = clang_Type_getAlignOf(cursor_type);
    type->is_const = clang_isConstQualifiedType(canonical);
    type->is_volatile = clang_isVolatileQualifiedType(canonical);
    type->is_restrict = clang_isRestrictQualifiedType(canonical);
    type->spelling = spell(d, cursor_type);
    type->plain = type->is_const || type->is_volatile || type->is_restrict ? spell(d, clang_getUnqualifiedType(cursor_type))
                                                                           : type->spelling;
    fill(d, declare__strip(cursor_type), type);
    bool sized = type->kind != C_VOID && type->kind != C_FUNCTION && type->kind != C_INCOMPLETE;
    type->size = sized && size > 0 ? (uint64_t)size : 0;
    type->align = sized && align > 0 ? (uint64_t)align : 0;
    /* `typedef struct { … } *handle;` names the struct after all. */
    if (type->kind == C_POINTER && !is_unwritable(type) && is_unwritable(type->of)) {
        char *access = mem_format("*(%s)0", type->plain);
        declare__name_type(d, type->of, access);
        free(access);
    }
    return type;
}
