/* Global variables: layout, initial bytes, and the addresses among them. */
#include "front/front_int.h"
#include "base/arith.h"

#include <stdlib.h>

typedef struct Image {
    Translator *t;
    Global *global;
    uint8_t *bytes, *unset;
    Vec(Reloc) relocs;
    bool failed;
} Image;

static void write_bits(Image *image, uint64_t offset, uint32_t width, U128 value)
{
    uint32_t size = (width + 7) / 8;
    if (offset + size > image->global->size) {
        image->failed = true;
        return;
    }
    memcpy(image->bytes + offset, &value, size);
}

static void write_scalar(Image *image, LLVMValueRef value, uint64_t offset)
{
    Const constant;
    if (!front__fold(image->t, value, 0, &constant)) {
        image->failed = true;
        return;
    }
    if (constant.undef) return;
    if (!constant.symbol && !constant.minus) {
        write_bits(image, offset, constant.width, constant.value);
    } else {
        vec_push(&image->relocs, ((Reloc){offset, operand_index(front__const(image->t, constant))}));
    }
}

static void write_packed(Image *image, LLVMValueRef value, const Shape *shape, uint64_t offset)
{
    uint64_t bit = 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        Const constant;
        if (!front__fold(image->t, value, i, &constant) || constant.symbol) {
            image->failed = true;
            return;
        }
        for (uint32_t k = 0; k < constant.width; k++, bit++)
            if (constant.value >> k & 1) image->bytes[offset + bit / 8] |= (uint8_t)(1u << bit % 8);
    }
}

static void write_wide(Image *image, LLVMValueRef value, uint64_t offset)
{
    uint64_t size = LLVMStoreSizeOfType(image->t->layout, LLVMTypeOf(value));
    if (!LLVMIsAConstantInt(value) || offset + size > image->global->size) {
        image->failed = true;
    } else {
        front__wide_bytes(value, image->bytes + offset, size);
    }
}

static void write_value(Image *image, LLVMValueRef value, uint64_t offset);

static void write_elements(Image *image, LLVMValueRef value, LLVMTypeRef type, uint64_t offset)
{
    Translator *t = image->t;
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            write_value(image, LLVMGetAggregateElement(value, i), offset + LLVMOffsetOfElement(t->layout, type, i));
        return;
    }
    uint64_t n = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
    LLVMTypeRef element = LLVMGetElementType(type);
    uint64_t stride = kind == LLVMArrayTypeKind ? front__type_size(t, element) : LLVMSizeOfTypeInBits(t->layout, element) / 8;
    for (uint64_t i = 0; i < n && !image->failed; i++) write_value(image, LLVMGetAggregateElement(value, (unsigned)i), offset + i * stride);
}

static bool write_string(Image *image, LLVMValueRef value, uint64_t offset)
{
    if (!LLVMIsAConstantDataArray(value) || !LLVMIsConstantString(value)) return false;
    size_t n;
    const char *text = LLVMGetAsString(value, &n);
    if (offset + n > image->global->size) return false;
    memcpy(image->bytes + offset, text, n);
    return true;
}

static bool is_aggregate(LLVMTypeKind kind)
{
    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static void mark_set(Image *image, LLVMTypeRef type, uint64_t offset)
{
    uint64_t size = LLVMStoreSizeOfType(image->t->layout, type);
    if (offset + size <= image->global->size) memset(image->unset + offset, 0, size);
}

static void write_value(Image *image, LLVMValueRef value, uint64_t offset)
{
    if (!value || LLVMIsUndef(value)) return;
    LLVMTypeRef type = LLVMTypeOf(value);
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMIsNull(value) || !is_aggregate(kind) || LLVMIsAConstantDataArray(value)) mark_set(image, type, offset);
    if (LLVMIsNull(value)) return;
    if (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 128) {
        write_wide(image, value, offset);
    } else if (kind == LLVMVectorTypeKind && front__shape(image->t, type)->packed) {
        write_packed(image, value, front__shape(image->t, type), offset);
    } else if (!is_aggregate(kind) && kind != LLVMVectorTypeKind) {
        write_scalar(image, value, offset);
    } else if (!write_string(image, value, offset)) {
        write_elements(image, value, type, offset);
    }
}

Status front__initial_value(Translator *t, Global *global, LLVMValueRef value)
{
    if (LLVMIsNull(value) || LLVMIsUndef(value) || !global->size) return OK;
    Image image = {.t = t, .global = global, .bytes = arena_alloc(&t->program->arena, global->size)};
    image.unset = arena_alloc(&t->program->arena, global->size);
    memset(image.unset, 1, global->size);
    write_value(&image, value, 0);
    global->bytes = image.bytes;
    global->unset = memchr(image.unset, 1, global->size) ? image.unset : NULL;
    global->reloc_count = image.relocs.len;
    global->relocs = front__keep(t, image.relocs.data, image.relocs.len * sizeof *image.relocs.data);
    vec_release(&image.relocs);
    if (image.failed)
        return fail(t->error,
                    "the initial value of global %s cannot be represented: it is no number, address or difference "
                    "of addresses; initialise it at run time instead",
                    global->name);
    return OK;
}

/* ---- constructors and destructors ---- */

static int by_priority(const void *a, const void *b)
{
    const Initializer *x = a, *y = b;
    return (x->priority > y->priority) - (x->priority < y->priority);
}

/* glibc's order: constructors by rising priority, destructors exactly the other way round.  The sort must be stable, so it is an
 * insertion sort; the lists are short. */
static void sort_initializers(Initializer *list, uint32_t n, bool reverse)
{
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = i; k && by_priority(&list[k - 1], &list[k]) > 0; k--) {
            Initializer swap = list[k];
            list[k] = list[k - 1];
            list[k - 1] = swap;
        }
    for (uint32_t i = 0; reverse && i < n / 2; i++) {
        Initializer swap = list[i];
        list[i] = list[n - 1 - i];
        list[n - 1 - i] = swap;
    }
}

static void initializers(Translator *t, const char *name, bool reverse, Initializer **list, uint32_t *count)
{
    LLVMValueRef global = LLVMGetNamedGlobal(t->module, name);
    LLVMValueRef array = global ? LLVMGetInitializer(global) : NULL;
    if (!array || LLVMGetTypeKind(LLVMTypeOf(array)) != LLVMArrayTypeKind) return;
    uint64_t n = LLVMGetArrayLength2(LLVMTypeOf(array));
    *list = arena_alloc(&t->program->arena, n * sizeof **list);
    for (uint64_t i = 0; i < n; i++) {
        LLVMValueRef entry = LLVMGetAggregateElement(array, (unsigned)i);
        Const priority, function;
        if (!entry || LLVMGetTypeKind(LLVMTypeOf(entry)) != LLVMStructTypeKind || front__shape(t, LLVMTypeOf(entry))->count < 2) continue;
        if (!front__fold(t, entry, 0, &priority) || !front__fold(t, entry, 1, &function)) continue;
        const Symbol *symbol = &t->symbols.data[function.symbol];
        if (symbol->kind == SYMBOL_FUNCTION) (*list)[(*count)++] = (Initializer){symbol->index, (uint32_t)priority.value};
    }
    sort_initializers(*list, *count, reverse);
}

/* ---- all of them ---- */

static bool is_weak(LLVMLinkage linkage)
{
    return linkage == LLVMWeakAnyLinkage || linkage == LLVMWeakODRLinkage || linkage == LLVMLinkOnceAnyLinkage ||
           linkage == LLVMLinkOnceODRLinkage || linkage == LLVMExternalWeakLinkage;
}

static bool is_internal(LLVMLinkage linkage)
{
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static bool is_metadata(LLVMValueRef value)
{
    const char *section = LLVMGetSection(value);
    return LLVMGetLinkage(value) == LLVMAppendingLinkage || (section && strcmp(section, "llvm.metadata") == 0);
}

static void declare_global(Translator *t, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(value);
    LLVMLinkage linkage = LLVMGetLinkage(value);
    const char *section = LLVMGetSection(value);
    Global global = {.name = arena_strdup(&t->program->arena, front__value_name(value)), .symbol = t->symbols.len};
    global.size = front__type_size(t, type);
    global.align = LLVMGetAlignment(value) ? LLVMGetAlignment(value) : front__type_align(t, type);
    global.defined = !LLVMIsDeclaration(value);
    global.constant = LLVMIsGlobalConstant(value);
    global.internal = is_internal(linkage);
    global.weak = is_weak(linkage);
    global.thread_local_ = LLVMIsThreadLocal(value);
    global.in_model = section && strcmp(section, MODEL_MARK) == 0;
    vec_push(&t->symbols, ((Symbol){SYMBOL_GLOBAL, t->global_list.len, 0}));
    names_put(&t->program->global_names, global.name, t->global_list.len);
    map_put(&t->globals, (uintptr_t)value, t->global_list.len);
    vec_push(&t->global_list, global);
}

static void name_aliases(Translator *t)
{
    for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(t->module); alias; alias = LLVMGetNextGlobalAlias(alias)) {
        Const target;
        if (!front__fold(t, alias, 0, &target) || target.value || target.minus) continue;
        const Symbol *symbol = &vec_at(&t->symbols, target.symbol);
        if (symbol->kind == SYMBOL_FUNCTION) names_put(&t->program->function_names, front__value_name(alias), symbol->index);
        if (symbol->kind == SYMBOL_GLOBAL) names_put(&t->program->global_names, front__value_name(alias), symbol->index);
    }
}

Status front__translate_globals(Translator *t)
{
    for (LLVMValueRef value = LLVMGetFirstGlobal(t->module); value; value = LLVMGetNextGlobal(value))
        if (!is_metadata(value)) declare_global(t, value);
    name_aliases(t);
    for (LLVMValueRef value = LLVMGetFirstGlobal(t->module); value; value = LLVMGetNextGlobal(value)) {
        if (is_metadata(value) || LLVMIsDeclaration(value)) continue;
        Global *global = &t->global_list.data[*map_find(&t->globals, (uintptr_t)value)];
        if (front__initial_value(t, global, LLVMGetInitializer(value)) != OK) return FAILED;
    }
    Program *program = t->program;
    initializers(t, "llvm.global_ctors", false, &program->constructors, &program->constructor_count);
    initializers(t, "llvm.global_dtors", true, &program->destructors, &program->destructor_count);
    return OK;
}
