/* From a linked LLVM module to a Program: functions are declared first, then globals, then bodies are lowered one by one.  Tables grow as
 * vectors while translating and are copied into the program's arena at the end. */
#include "front/front_int.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *front__keep(Translator *t, const void *data, size_t size)
{
    void *copy = arena_alloc(&t->program->arena, size);
    if (size) memcpy(copy, data, size);
    return copy;
}

char *front__value_name(LLVMValueRef value)
{
    size_t n;
    return (char *)LLVMGetValueName2(value, &n);
}

uint32_t front__message(Translator *t, const char *text)
{
    const uint32_t *known = names_find(&t->message_numbers, text);
    if (known) return *known;
    vec_push(&t->messages, arena_strdup(&t->program->arena, text));
    names_put(&t->message_numbers, text, t->messages.len - 1);
    return t->messages.len - 1;
}

/* ---- places in the source ---- */

static const char *joined_path(Translator *t, const char *directory, unsigned directory_length, const char *name, unsigned length)
{
    StrBuf path = {0};
    bool elsewhere = directory_length && !(strlen(t->here) == directory_length && memcmp(t->here, directory, directory_length) == 0);
    if (length && name[0] != '/' && elsewhere) {
        strbuf_add_bytes(&path, directory, directory_length);
        strbuf_add(&path, "/");
    }
    strbuf_add_bytes(&path, name, length);
    const uint32_t *known = names_find(&t->files, path.text);
    if (!known) {
        names_put(&t->files, path.text, t->file_names.len);
        vec_push(&t->file_names, arena_strdup(&t->program->arena, path.text));
        known = names_find(&t->files, path.text);
    }
    strbuf_release(&path);
    return t->file_names.data[*known];
}

const char *front__file_name(Translator *t, LLVMMetadataRef file)
{
    if (!file) return "";
    unsigned directory_length = 0, length = 0;
    const char *directory = LLVMDIFileGetDirectory(file, &directory_length);
    const char *name = LLVMDIFileGetFilename(file, &length);
    while (length > 2 && name[0] == '.' && name[1] == '/') { /* as the compiler names what it finds from where it runs */
        name += 2;
        length -= 2;
    }
    return joined_path(t, directory, directory_length, name, length);
}

uint32_t front__location(Translator *t, LLVMMetadataRef location)
{
    if (!location) return 0;
    const uint64_t *known = map_find(&t->locations, (uintptr_t)location);
    if (known) return (uint32_t)*known;
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    Loc loc = {.line = LLVMDILocationGetLine(location), .column = LLVMDILocationGetColumn(location)};
    loc.file = front__file_name(t, scope ? LLVMDIScopeGetFile(scope) : NULL);
    uint32_t index = 0;
    if (loc.line) {
        index = t->locs.len;
        vec_push(&t->locs, loc);
    }
    map_put(&t->locations, (uintptr_t)location, index);
    return index;
}

/* ---- functions ---- */

static uint32_t new_function(Translator *t, const char *name)
{
    uint32_t index = t->function_list.len;
    Function function = {.name = arena_strdup(&t->program->arena, name), .file = "", .symbol = t->symbols.len};
    vec_push(&t->symbols, ((Symbol){SYMBOL_FUNCTION, index, 0}));
    vec_push(&t->function_list, function);
    if (name[0]) names_put(&t->program->function_names, name, index);
    return index;
}

uint32_t front__function_index(Translator *t, LLVMValueRef function)
{
    const uint64_t *index = map_find(&t->functions, (uintptr_t)function);
    if (index) return (uint32_t)*index;
    /* An intrinsic whose address is taken: nothing can call it, but it needs a symbol. */
    uint32_t added = new_function(t, front__value_name(function));
    map_put(&t->functions, (uintptr_t)function, added);
    return added;
}

static Param *scalar_params(Translator *t, uint32_t count, const Scalar *types)
{
    Param *params = arena_alloc(&t->program->arena, count * sizeof *params);
    uint32_t reg = 0;
    for (uint32_t i = 0; i < count; i++) {
        params[i] = (Param){.name = "", .type = types[i], .reg = reg};
        reg += scalar_registers(types[i]);
    }
    return params;
}

uint32_t front__declare_library(Translator *t, const char *name, uint32_t result_count, const Scalar *results, uint32_t count,
                                const Scalar *params)
{
    const uint32_t *known = names_find(&t->program->function_names, name);
    if (known) return *known;
    uint32_t index = new_function(t, name);
    Function *function = &t->function_list.data[index];
    function->param_count = count;
    function->params = scalar_params(t, count, params);
    function->result_count = result_count;
    function->results = front__keep(t, results, result_count * sizeof *results);
    return index;
}

static Scalar *flat_results(Translator *t, LLVMValueRef function, LLVMTypeRef type, uint32_t *count)
{
    const Shape *shape = front__shape(t, type);
    Scalar *results = arena_alloc(&t->program->arena, shape->count * sizeof *results);
    bool sign = LLVMGetEnumAttributeAtIndex(function, LLVMAttributeReturnIndex, t->attr_signext);
    for (uint32_t i = 0; i < shape->count; i++) {
        results[i] = shape->leaves[i].type;
        results[i].sign = sign;
    }
    *count = shape->count;
    return results;
}

static void set_byval(Translator *t, LLVMValueRef function, unsigned index, Param *param)
{
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(function, index, t->attr_byval);
    if (!byval) return;
    LLVMTypeRef type = LLVMGetTypeAttributeValue(byval);
    LLVMAttributeRef align = LLVMGetEnumAttributeAtIndex(function, index, t->attr_align);
    param->byval_size = front__type_size(t, type);
    param->byval_align = align ? (uint32_t)LLVMGetEnumAttributeValue(align) : front__type_align(t, type);
}

static void declare_params(Translator *t, LLVMValueRef value, Function *function)
{
    Vec(Param) params = {0};
    uint32_t reg = 0;
    for (unsigned i = 0; i < LLVMCountParams(value); i++) {
        LLVMValueRef argument = LLVMGetParam(value, i);
        const Shape *shape = front__shape(t, LLVMTypeOf(argument));
        const char *name = arena_strdup(&t->program->arena, front__value_name(argument));
        for (uint32_t k = 0; k < shape->count; k++) {
            Param param = {.name = name, .type = shape->leaves[k].type, .reg = reg + shape->leaves[k].reg};
            param.type.sign = LLVMGetEnumAttributeAtIndex(value, i + 1, t->attr_signext);
            set_byval(t, value, i + 1, &param);
            vec_push(&params, param);
        }
        reg += shape->registers;
    }
    function->param_count = params.len;
    function->params = front__keep(t, params.data, params.len * sizeof *params.data);
    vec_release(&params);
}

static void declare_function(Translator *t, LLVMValueRef value)
{
    uint32_t index = new_function(t, front__value_name(value));
    map_put(&t->functions, (uintptr_t)value, index);
    Function *function = &t->function_list.data[index];
    LLVMTypeRef type = LLVMGlobalGetValueType(value);
    LLVMLinkage linkage = LLVMGetLinkage(value);
    function->defined = !LLVMIsDeclaration(value);
    function->variadic = LLVMIsFunctionVarArg(type);
    function->internal = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    function->weak = linkage == LLVMWeakAnyLinkage || linkage == LLVMWeakODRLinkage || linkage == LLVMLinkOnceAnyLinkage ||
                     linkage == LLVMLinkOnceODRLinkage || linkage == LLVMExternalWeakLinkage;
    function->noreturn = LLVMGetEnumAttributeAtIndex(value, LLVMAttributeFunctionIndex, t->attr_noreturn);
    function->in_model = LLVMGetStringAttributeAtIndex(value, LLVMAttributeFunctionIndex, MODEL_MARK, strlen(MODEL_MARK));
    function->results = flat_results(t, value, LLVMGetReturnType(type), &function->result_count);
    declare_params(t, value, function);
    front__read_signs(t, value, function);
    LLVMMetadataRef subprogram = LLVMGetSubprogram(value);
    if (!subprogram) return;
    function->line = LLVMDISubprogramGetLine(subprogram);
    function->file = front__file_name(t, LLVMDIScopeGetFile(subprogram));
}

static void declare_functions(Translator *t)
{
    for (LLVMValueRef value = LLVMGetFirstFunction(t->module); value; value = LLVMGetNextFunction(value))
        if (!LLVMGetIntrinsicID(value)) declare_function(t, value);
    for (LLVMValueRef value = LLVMGetFirstGlobalIFunc(t->module); value; value = LLVMGetNextGlobalIFunc(value))
        map_put(&t->functions, (uintptr_t)value, new_function(t, front__value_name(value)));
    front__read_marks(t);
}

void front__number_blocks(Translator *t, LLVMValueRef function)
{
    uint32_t number = 0;
    LLVMBasicBlockRef first = LLVMGetFirstBasicBlock(function);
    if (!first || map_find(&t->blocks, (uintptr_t)first)) return;
    for (LLVMBasicBlockRef block = first; block; block = LLVMGetNextBasicBlock(block)) map_put(&t->blocks, (uintptr_t)block, number++);
}

uint32_t front__block_index(Translator *t, LLVMBasicBlockRef block)
{
    const uint64_t *number = map_find(&t->blocks, (uintptr_t)block);
    REQUIRE(number, "a block of an unknown function");
    return (uint32_t)*number;
}

static void lower_functions(Translator *t)
{
    Lower lower = {.t = t};
    for (LLVMValueRef value = LLVMGetFirstFunction(t->module); value; value = LLVMGetNextFunction(value))
        if (!LLVMIsDeclaration(value)) front__lower_function(&lower, value, (uint32_t)*map_find(&t->functions, (uintptr_t)value));
    map_release(&lower.values);
    for (uint32_t i = 0; i < lower.blocks.len; i++) vec_release(&lower.blocks.data[i]);
    vec_release(&lower.blocks);
    vec_release(&lower.exits);
    vec_release(&lower.origins);
    vec_release(&lower.calls);
    vec_release(&lower.switches);
    vec_release(&lower.branches);
}

/* ---- the whole ---- */

static void start(Translator *t)
{
    vec_push(&t->symbols, ((Symbol){SYMBOL_NONE, 0, 0}));
    vec_push(&t->locs, ((Loc){"", 0, 0}));
    t->attr_byval = LLVMGetEnumAttributeKindForName("byval", 5);
    t->attr_align = LLVMGetEnumAttributeKindForName("align", 5);
    t->attr_signext = LLVMGetEnumAttributeKindForName("signext", 7);
    t->attr_noreturn = LLVMGetEnumAttributeKindForName("noreturn", 8);
}

static void hand_over(Translator *t)
{
    Program *p = t->program;
#define HAND_OVER(list, to, count) (p->count = (list).len, p->to = front__keep(t, (list).data, (list).len * sizeof *(list).data))
    HAND_OVER(t->function_list, functions, function_count);
    HAND_OVER(t->global_list, globals, global_count);
    HAND_OVER(t->symbols, symbols, symbol_count);
    HAND_OVER(t->consts, consts, const_count);
    HAND_OVER(t->locs, locs, loc_count);
    HAND_OVER(t->branches, branches, branch_count);
    HAND_OVER(t->messages, messages, message_count);
#undef HAND_OVER
}

static void release(Translator *t)
{
    Map *maps[] = {&t->shapes, &t->functions, &t->globals, &t->constants, &t->locations, &t->blocks, &t->labels, &t->intrinsics};
    for (size_t i = 0; i < COUNT_OF(maps); i++) map_release(maps[i]);
    names_release(&t->message_numbers);
    names_release(&t->files);
    vec_release(&t->function_list);
    vec_release(&t->global_list);
    vec_release(&t->symbols);
    vec_release(&t->consts);
    vec_release(&t->locs);
    vec_release(&t->branches);
    vec_release(&t->messages);
    vec_release(&t->file_names);
}

Status front__translate(LLVMModuleRef module, Program **program, Error *error)
{
    char *here = getcwd(NULL, 0);
    Translator t = {.module = module, .program = mem_alloc(sizeof(Program)), .error = error, .here = here ? here : ""};
    t.layout = LLVMGetModuleDataLayout(module);
    start(&t);
    Status status = OK;
    if (LLVMPointerSize(t.layout) != 8 || LLVMByteOrder(t.layout) != LLVMLittleEndian)
        status = fail(error,
                      "the program is compiled for another kind of machine (%s); Clew needs 64-bit little-endian code, so leave out "
                      "flags such as -m32",
                      LLVMGetTarget(module));
    if (status == OK) {
        declare_functions(&t);
        status = front__translate_globals(&t);
    }
    if (status == OK) {
        lower_functions(&t);
        hand_over(&t);
        program_analyse(t.program);
    } else {
        program_free(t.program);
    }
    *program = status == OK ? t.program : NULL;
    release(&t);
    free(here);
    return status;
}
