/* front: what the source calls the values of bitcode.
 *
 * Debug information ties a value or an `alloca` to a variable, and a variable to its type; a place in a variable is then named as in C (`a[2].next`).
 * LLVM's C interface does not read variables and types, but it gives the operands of their nodes. */
#include "front/front_int.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

/* Operands of debug information nodes, as LLVM 19 lays them out. */
enum { VARIABLE_NAME = 1, VARIABLE_TYPE = 3, TYPE_NAME = 2, TYPE_BASE = 3, TYPE_ELEMENTS = 4, SUBRANGE_COUNT = 0 };
enum { MOST_OPERANDS = 16, MOST_DIMENSIONS = 8, MOST_STEPS = 64 };

struct FrontNames {
    LLVMContextRef context;
    LLVMModuleRef module;
    NameMap numbers; /* "f:B:I" of an instruction, "f:p0:I" of a parameter, "g" of a global variable -> index + 1 into variables */
    Vec(LLVMValueRef) variables;
};

/* ---- nodes ---- */

static LLVMValueRef operand(LLVMValueRef node, unsigned i)
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

static bool add_text(LLVMValueRef text, StrBuf *out)
{
    unsigned n = 0;
    const char *bytes = text ? LLVMGetMDString(text, &n) : NULL;
    if (!bytes || !n) return false;
    strbuf_add_bytes(out, bytes, n);
    return true;
}

/* Through typedefs and qualifiers, which have no size of their own. */
static LLVMValueRef plain_type(LLVMValueRef type)
{
    for (unsigned i = 0; type && i < MOST_STEPS; i++) {
        if (kind_of(type) != LLVMDIDerivedTypeMetadataKind || LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type))) return type;
        type = operand(type, TYPE_BASE);
    }
    return NULL;
}

static uint64_t bits_of(LLVMValueRef type)
{
    return LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type));
}

/* ---- a place in a variable ---- */

static bool add_place(LLVMValueRef type, uint64_t offset, uint64_t size, unsigned depth, StrBuf *out);

static bool add_element(LLVMValueRef type, LLVMValueRef *dimensions, unsigned count, uint64_t offset, uint64_t size, unsigned depth,
                        StrBuf *out)
{
    uint64_t each[MOST_DIMENSIONS], bytes = bits_of(type) / 8;
    LLVMValueRef base = plain_type(operand(type, TYPE_BASE));
    if (!base || !bytes || count > MOST_DIMENSIONS) return false;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef n = operand(dimensions[i], SUBRANGE_COUNT);
        if (!n || !LLVMIsAConstantInt(n) || LLVMConstIntGetZExtValue(n) == 0) return false;
        each[i] = LLVMConstIntGetZExtValue(n);
    }
    for (unsigned i = 0; i < count; i++) {
        bytes /= each[i];
        if (!bytes || offset / bytes >= each[i]) return false;
        strbuf_addf(out, "[%llu]", (unsigned long long)(offset / bytes));
        offset %= bytes;
    }
    return add_place(base, offset, size, depth + 1, out);
}

static bool add_member(LLVMValueRef *members, unsigned count, uint64_t offset, uint64_t size, unsigned depth, StrBuf *out)
{
    for (unsigned i = 0; i < count; i++) {
        if (!members[i] || kind_of(members[i]) != LLVMDIDerivedTypeMetadataKind) continue;
        LLVMValueRef type = plain_type(operand(members[i], TYPE_BASE));
        uint64_t at = LLVMDITypeGetOffsetInBits(LLVMValueAsMetadata(members[i])), bits = bits_of(members[i]);
        if (!type || at % 8 || bits % 8 || offset < at / 8 || offset + size > (at + bits) / 8) continue;
        size_t before = out->len;
        strbuf_add(out, ".");
        if (!add_text(operand(members[i], TYPE_NAME), out)) out->text[out->len = before] = 0; /* an anonymous struct or union */
        if (add_place(type, offset - at / 8, size, depth + 1, out)) return true;
        out->text[out->len = before] = 0;
    }
    return false;
}

static bool add_place(LLVMValueRef type, uint64_t offset, uint64_t size, unsigned depth, StrBuf *out)
{
    if (offset == 0 && bits_of(type) == size * 8 && kind_of(type) != LLVMDICompositeTypeMetadataKind) return true;
    if (kind_of(type) != LLVMDICompositeTypeMetadataKind || depth > MOST_DIMENSIONS) return false;
    LLVMValueRef list = operand(type, TYPE_ELEMENTS);
    unsigned count = list ? LLVMGetMDNodeNumOperands(list) : 0;
    if (!count) return false;
    LLVMValueRef *elements = mem_alloc(count * sizeof *elements);
    LLVMGetMDNodeOperands(list, elements);
    LLVMMetadataKind kind = elements[0] ? kind_of(elements[0]) : LLVMMDStringMetadataKind;
    bool found = kind == LLVMDIEnumeratorMetadataKind ? offset == 0 && bits_of(type) == size * 8
                 : kind == LLVMDISubrangeMetadataKind ? add_element(type, elements, count, offset, size, depth, out)
                                                      : add_member(elements, count, offset, size, depth, out);
    free(elements);
    return found;
}

/* ---- the tables ---- */

static void note(FrontNames *names, const char *key, LLVMValueRef variable)
{
    if (names_find(&names->numbers, key)) return; /* the first variable that holds a value gives its name */
    vec_push(&names->variables, variable);
    names_put(&names->numbers, key, names->variables.len);
}

/* llvm.dbg.value(metadata VALUE, metadata VARIABLE, metadata EXPRESSION), and so llvm.dbg.declare. */
static bool is_debug_call(LLVMValueRef instr)
{
    LLVMValueRef callee = LLVMIsACallInst(instr) ? LLVMGetCalledValue(instr) : NULL;
    return callee && LLVMIsAFunction(callee) && strncmp(front__value_name(callee), "llvm.dbg.", 9) == 0;
}

static void note_variable(FrontNames *names, const char *function, const Map *places, LLVMValueRef call)
{
    if (LLVMGetNumArgOperands(call) < 2) return;
    LLVMValueRef what = LLVMGetOperand(call, 0), variable = LLVMGetOperand(call, 1), value;
    if (!what || !variable || LLVMGetMDNodeNumOperands(what) != 1 || kind_of(variable) != LLVMDILocalVariableMetadataKind) return;
    LLVMGetMDNodeOperands(what, &value);
    const uint64_t *place = value ? map_find(places, (uintptr_t)value) : NULL;
    if (!place) return;
    char *key = mem_format("%s:%s%u:%u", function, *place >> 63 ? "p" : "", (unsigned)(*place >> 32 & 0x7fffffff), (unsigned)*place);
    note(names, key, variable);
    free(key);
}

static void read_function(FrontNames *names, LLVMValueRef function)
{
    Map places = {0};
    uint32_t number = 0;
    for (unsigned i = 0; i < LLVMCountParams(function); i++) map_put(&places, (uintptr_t)LLVMGetParam(function, i), (uint64_t)1 << 63 | i);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block), number++) {
        uint32_t position = 0;
        for (LLVMValueRef instr = LLVMGetFirstInstruction(block); instr; instr = LLVMGetNextInstruction(instr))
            if (!is_debug_call(instr)) map_put(&places, (uintptr_t)instr, (uint64_t)number << 32 | position++);
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instr = LLVMGetFirstInstruction(block); instr; instr = LLVMGetNextInstruction(instr))
            if (is_debug_call(instr)) note_variable(names, front__value_name(function), &places, instr);
    map_release(&places);
}

static void read_global(FrontNames *names, LLVMValueRef global)
{
    size_t count = 0;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    for (size_t i = 0; i < count; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, (unsigned)i);
        if (LLVMGetMetadataKind(node) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
        LLVMMetadataRef variable = LLVMDIGlobalVariableExpressionGetVariable(node);
        if (variable) note(names, front__value_name(global), LLVMMetadataAsValue(names->context, variable));
    }
    LLVMDisposeValueMetadataEntries(entries);
}

Status front_names_new(FrontNames **names, const char *bitcode, Error *error)
{
    FrontNames *n = mem_alloc(sizeof *n);
    n->context = LLVMContextCreate();
    n->module = front__read_module(n->context, bitcode, error);
    *names = n->module ? n : NULL;
    if (!n->module) {
        front_names_free(n);
        return FAILED;
    }
    LLVMSetIsNewDbgInfoFormat(n->module, false); /* as calls, which the C interface can read */
    for (LLVMValueRef f = LLVMGetFirstFunction(n->module); f; f = LLVMGetNextFunction(f)) read_function(n, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(n->module); g; g = LLVMGetNextGlobal(g)) read_global(n, g);
    return OK;
}

void front_names_free(FrontNames *names)
{
    if (!names) return;
    names_release(&names->numbers);
    vec_release(&names->variables);
    if (names->module) LLVMDisposeModule(names->module);
    LLVMContextDispose(names->context);
    free(names);
}

/* ---- questions ---- */

static LLVMValueRef variable_of(const FrontNames *names, char *key)
{
    const uint32_t *number = names_find(&names->numbers, key);
    free(key);
    return number ? names->variables.data[*number - 1] : NULL;
}

bool front_names_value(const FrontNames *names, const char *function, uint32_t block, uint32_t instr, StrBuf *out)
{
    LLVMValueRef variable = variable_of(names, mem_format("%s:%u:%u", function, block, instr));
    return variable && add_text(operand(variable, VARIABLE_NAME), out);
}

bool front_names_param(const FrontNames *names, const char *function, uint32_t index, StrBuf *out)
{
    LLVMValueRef variable = variable_of(names, mem_format("%s:p0:%u", function, index));
    return variable && add_text(operand(variable, VARIABLE_NAME), out);
}

static bool add_cell(LLVMValueRef variable, uint64_t offset, uint64_t size, StrBuf *out)
{
    size_t before = out->len;
    LLVMValueRef type = variable ? operand(variable, VARIABLE_TYPE) : NULL;
    if (!type || !add_text(operand(variable, VARIABLE_NAME), out)) return false;
    type = plain_type(type);
    if (type && add_place(type, offset, size, 0, out)) return true;
    out->text[out->len = before] = 0;
    return false;
}

bool front_names_global(const FrontNames *names, const char *global, uint64_t offset, uint64_t size, StrBuf *out)
{
    return add_cell(variable_of(names, mem_strdup(global)), offset, size, out);
}

bool front_names_local(const FrontNames *names, const char *function, uint32_t block, uint32_t instr, uint64_t offset, uint64_t size,
                       StrBuf *out)
{
    return add_cell(variable_of(names, mem_format("%s:%u:%u", function, block, instr)), offset, size, out);
}

static LLVMValueRef pointed_type(LLVMValueRef variable)
{
    enum { POINTER_TYPE = 0x0f }; /* DW_TAG_pointer_type */
    LLVMValueRef type = operand(variable, VARIABLE_TYPE);
    type = type ? plain_type(type) : NULL;
    if (!type || LLVMGetDINodeTag(LLVMValueAsMetadata(type)) != POINTER_TYPE) return NULL;
    type = operand(type, TYPE_BASE);
    return type ? plain_type(type) : NULL;
}

bool front_names_pointed(const FrontNames *names, const char *function, uint32_t block, uint32_t instr, uint64_t offset, uint64_t size,
                         StrBuf *out)
{
    char *key = block == UINT32_MAX ? mem_format("%s:p0:%u", function, instr) : mem_format("%s:%u:%u", function, block, instr);
    LLVMValueRef variable = variable_of(names, key), type = variable ? pointed_type(variable) : NULL;
    StrBuf name = {0}, place = {0};
    uint64_t bytes = type ? bits_of(type) / 8 : 0;
    bool found = bytes && add_text(operand(variable, VARIABLE_NAME), &name) && add_place(type, offset % bytes, size, 0, &place);
    if (found && offset >= bytes)
        strbuf_addf(out, "%s[%llu]%s", name.text, (unsigned long long)(offset / bytes), place.len ? place.text : "");
    else if (found && !place.len) strbuf_addf(out, "*%s", name.text);
    else if (found && place.text[0] == '.') strbuf_addf(out, "%s->%s", name.text, place.text + 1);
    else if (found) strbuf_addf(out, "(*%s)%s", name.text, place.text);
    strbuf_release(&name);
    strbuf_release(&place);
    return found;
}
