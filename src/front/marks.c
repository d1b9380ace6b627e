/* What sources say of functions beyond their code: the marks of clew.h, which clang keeps as annotations (of declarations, too: a mark in a
 * header holds for the definition in any file), and the signedness of parameters.
 *
 * LLVM's integers have no sign and its C interface does not tell the encoding of a basic type, but a basic type's name in C does. */
#include "front/front_int.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

/* ---- signs ---- */

/* Operands of debug info nodes, as LLVM 19 lays them out. */
enum { TYPE_NAME = 2, TYPE_BASE = 3, TYPE_PARAMETERS = 3, SUBPROGRAM_TYPE = 4, MOST_OPERANDS = 16, MOST_TYPEDEFS = 64 };

static LLVMValueRef node_operand(LLVMValueRef node, unsigned i)
{
    LLVMValueRef operands[MOST_OPERANDS];
    unsigned n = LLVMGetMDNodeNumOperands(node);
    if (n > MOST_OPERANDS || i >= n) return NULL;
    LLVMGetMDNodeOperands(node, operands);
    return operands[i];
}

static LLVMMetadataKind kind_of(LLVMValueRef node)
{
    return LLVMGetMetadataKind(LLVMValueAsMetadata(node));
}

static bool is_signed_name(const char *name, size_t n)
{
    static const char *const without_sign[] = {"unsigned", "_Bool", "bool", "char8_t", "char16_t", "char32_t"};
    for (size_t i = 0; i < COUNT_OF(without_sign); i++)
        if (n >= strlen(without_sign[i]) && memcmp(name, without_sign[i], strlen(without_sign[i])) == 0) return false;
    return true;
}

/* Through typedefs, qualifiers and the type beneath an enumeration to a basic type. */
static bool is_signed_type(LLVMValueRef type)
{
    for (unsigned steps = 0; type && steps < MOST_TYPEDEFS; steps++) {
        LLVMMetadataKind kind = kind_of(type);
        if (kind == LLVMDIBasicTypeMetadataKind) {
            LLVMValueRef name = node_operand(type, TYPE_NAME);
            unsigned n = 0;
            const char *text = name ? LLVMGetMDString(name, &n) : NULL;
            return text && is_signed_name(text, n);
        }
        if (kind != LLVMDIDerivedTypeMetadataKind && kind != LLVMDICompositeTypeMetadataKind) return false;
        type = node_operand(type, TYPE_BASE);
    }
    return false;
}

static bool ends_in(const char *name, const char *ending)
{
    size_t n = strlen(name), k = strlen(ending);
    return n >= k && strcmp(name + n - k, ending) == 0;
}

/* Is it the second half of the parameter before (an __int128 in two registers)? */
static bool is_second_half(const Function *function, uint32_t i)
{
    return i > 0 && ends_in(function->params[i].name, ".coerce1") && ends_in(function->params[i - 1].name, ".coerce0");
}

/* The list of the result's and the parameters' types; NULL where C's parameters and LLVM's do not correspond. */
static LLVMValueRef type_list(Translator *t, LLVMValueRef value, const Function *function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(value);
    uint32_t count = function->param_count;
    if (!subprogram || count != LLVMCountParams(value)) return NULL;
    for (uint32_t i = 0; i < function->param_count; i++) count -= is_second_half(function, i);
    LLVMValueRef node = LLVMMetadataAsValue(LLVMGetModuleContext(t->module), subprogram);
    LLVMValueRef type = node_operand(node, SUBPROGRAM_TYPE), list = type ? node_operand(type, TYPE_PARAMETERS) : NULL;
    return list && LLVMGetMDNodeNumOperands(list) == count + 1 ? list : NULL;
}

/* Narrow integers have their sign as an attribute, which is surer (-funsigned-char).  Declarations have no debug info: there an integer is
 * taken for signed, as most are. */
void front__read_signs(Translator *t, LLVMValueRef value, Function *function)
{
    LLVMValueRef *types = mem_alloc((function->param_count + 1) * sizeof *types), list = type_list(t, value, function);
    if (list) LLVMGetMDNodeOperands(list, types);
    for (uint32_t i = 0, at = 0; i < function->param_count; i++) {
        Scalar *scalar = &function->params[i].type;
        at += !is_second_half(function, i);
        if (scalar->kind == SCALAR_INT && scalar->width >= 32) scalar->sign = !list || (types[at] && is_signed_type(types[at]));
    }
    free(types);
}

/* ---- marks ---- */

#define CONCRETE_MARK "clew.concrete"
#define PARTITION_MARK "clew.partition:"

static bool has_partition(const Function *function, const char *text)
{
    for (uint32_t i = 0; i < function->partition_count; i++)
        if (strcmp(function->partitions[i], text) == 0) return true;
    return false;
}

static void add_partition(Translator *t, Function *function, const char *text)
{
    text += strspn(text, " \t");
    if (!*text || has_partition(function, text)) return;
    const char **longer = arena_alloc(&t->program->arena, (function->partition_count + 1) * sizeof *longer);
    if (function->partition_count) memcpy(longer, function->partitions, function->partition_count * sizeof *longer);
    longer[function->partition_count++] = arena_strdup(&t->program->arena, text);
    function->partitions = longer;
}

static const char *annotation_text(LLVMValueRef text, size_t *n)
{
    LLVMValueRef value = text && LLVMIsAGlobalVariable(text) ? LLVMGetInitializer(text) : NULL;
    if (!value || !LLVMIsAConstantDataArray(value) || !LLVMIsConstantString(value)) return NULL;
    return LLVMGetAsString(value, n);
}

/* An entry is { what, text, file, line, arguments }. */
static void read_mark(Translator *t, LLVMValueRef entry)
{
    LLVMValueRef what = LLVMGetAggregateElement(entry, 0);
    const uint64_t *index = what && LLVMIsAFunction(what) ? map_find(&t->functions, (uintptr_t)what) : NULL;
    size_t n = 0;
    const char *text = index ? annotation_text(LLVMGetAggregateElement(entry, 1), &n) : NULL;
    if (!text || n == 0 || text[n - 1]) return;
    Function *function = &t->function_list.data[*index];
    if (strcmp(text, CONCRETE_MARK) == 0) function->concrete = true;
    if (strncmp(text, PARTITION_MARK, strlen(PARTITION_MARK)) == 0) add_partition(t, function, text + strlen(PARTITION_MARK));
}

void front__read_marks(Translator *t)
{
    LLVMValueRef global = LLVMGetNamedGlobal(t->module, "llvm.global.annotations");
    LLVMValueRef list = global ? LLVMGetInitializer(global) : NULL;
    if (!list || LLVMGetTypeKind(LLVMTypeOf(list)) != LLVMArrayTypeKind) return;
    uint64_t n = LLVMGetArrayLength2(LLVMTypeOf(list));
    for (uint64_t i = 0; i < n; i++) {
        LLVMValueRef entry = LLVMGetAggregateElement(list, (unsigned)i);
        if (entry && LLVMGetTypeKind(LLVMTypeOf(entry)) == LLVMStructTypeKind) read_mark(t, entry);
    }
}
