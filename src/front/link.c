/* Reading bitcode, linking the user's modules and the needed parts of Clew's library, and promoting locals to registers.
 *
 * The library's definitions are made weak, so that a program that brings its own strlen keeps it.  Only files that define something still
 * undefined are read, until nothing is missing that the library has.
 *
 * Bitcode that a user hands in may be damaged in ways that make LLVM abort.  It is read and verified in a child process first. */
#include "front/front_int.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Complaint { /* of LLVM, while linking */
    char text[512];
    bool is_error;
} Complaint;

static void take_complaint(LLVMDiagnosticInfoRef info, void *context)
{
    Complaint *complaint = context;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
    char *text = LLVMGetDiagInfoDescription(info);
    if (!complaint->is_error) snprintf(complaint->text, sizeof complaint->text, "%s", text);
    complaint->is_error = true;
    LLVMDisposeMessage(text);
}

/* ---- reading ---- */

static LLVMMemoryBufferRef read_buffer(const char *path, Error *error)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (!LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) return buffer;
    fail(error, "cannot read %s: %s", path, message ? message : "unknown error");
    LLVMDisposeMessage(message);
    return NULL;
}

LLVMModuleRef front__read_module(LLVMContextRef context, const char *path, Error *error)
{
    LLVMMemoryBufferRef buffer = read_buffer(path, error);
    if (!buffer) return NULL;
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMParseIRInContext(context, buffer, &module, &message)) { /* takes the buffer */
        if (message) message[strcspn(message, "\n")] = 0;
        fail(error, "%s is no LLVM bitcode that version 19 can read (%s); compile it with clang-19 -emit-llvm -c", path,
             message ? message : "damaged");
        LLVMDisposeMessage(message);
        return NULL;
    }
    return module;
}

/* In the child: 0 if the file is sound. */
static int examine(const char *path)
{
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0) dup2(null, STDERR_FILENO);
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = front__read_module(context, path, NULL);
    if (!module) return 1;
    return LLVMVerifyModule(module, LLVMReturnStatusAction, NULL) ? 2 : 0;
}

static Status examine_apart(const char *path, Error *error)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) return fail(error, "cannot start a process to examine %s: %s", path, strerror(errno));
    if (child == 0) _exit(examine(path));
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return fail(error, "lost the process that examines %s: %s", path, strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1) return OK; /* reading it again will say why */
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
        return fail(error, "%s is not valid LLVM code (opt-19 -passes=verify shows where); compile it again with clang-19", path);
    return fail(error, "%s is damaged: reading it crashed LLVM; compile it again with clang-19", path);
}

/* ---- the library ---- */

typedef struct Library {
    const char *directory;
    NameMap symbols; /* -> file */
    Vec(char *) files;
    Vec(bool) linked;
} Library;

static void read_index_line(Library *library, char *line)
{
    char *save, *file = strtok_r(line, " \t\n", &save);
    if (!file) return;
    vec_push(&library->files, mem_strdup(file));
    vec_push(&library->linked, false);
    for (char *symbol; (symbol = strtok_r(NULL, " \t\n", &save));)
        if (!names_find(&library->symbols, symbol)) names_put(&library->symbols, symbol, library->files.len - 1);
}

static Status read_index(Library *library, Error *error)
{
    char *path = mem_format("%s/index", library->directory), *line = NULL;
    FILE *file = fopen(path, "r");
    Status status = OK;
    if (!file) status = fail(error, "cannot read %s: %s; Clew's library is not installed where it should be", path, strerror(errno));
    size_t capacity = 0;
    while (file && getline(&line, &capacity, file) >= 0) read_index_line(library, line);
    if (file) fclose(file);
    free(line);
    free(path);
    return status;
}

static void release_library(Library *library)
{
    for (uint32_t i = 0; i < library->files.len; i++) free(library->files.data[i]);
    vec_release(&library->files);
    vec_release(&library->linked);
    names_release(&library->symbols);
}

Status front__library_names(const char *models_dir, NameMap *names, Error *error)
{
    Library library = {.directory = models_dir};
    Status status = read_index(&library, error);
    *names = library.symbols;
    library.symbols = (NameMap){0};
    release_library(&library);
    return status;
}

static bool is_local(LLVMValueRef value)
{
    LLVMLinkage linkage = LLVMGetLinkage(value);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static void mark_library(LLVMContextRef context, LLVMModuleRef module)
{
    LLVMAttributeRef mark = LLVMCreateStringAttribute(context, MODEL_MARK, strlen(MODEL_MARK), "", 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, mark);
        if (!is_local(f)) LLVMSetLinkage(f, LLVMWeakAnyLinkage);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMIsDeclaration(g) || LLVMGetLinkage(g) == LLVMAppendingLinkage) continue;
        LLVMSetSection(g, MODEL_MARK);
        if (!is_local(g)) LLVMSetLinkage(g, LLVMWeakAnyLinkage);
    }
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a))
        if (!is_local(a)) LLVMSetLinkage(a, LLVMWeakAnyLinkage);
}

static Status link_library_file(Library *library, uint32_t number, LLVMContextRef context, LLVMModuleRef module, Complaint *complaint,
                                Error *error)
{
    library->linked.data[number] = true;
    char *path = mem_format("%s/%s", library->directory, library->files.data[number]);
    LLVMModuleRef part = front__read_module(context, path, error);
    Status status = part ? OK : FAILED;
    if (part) {
        mark_library(context, part);
        if (LLVMLinkModules2(module, part))
            status = fail(error, "cannot link Clew's library file %s: %s", path, complaint->is_error ? complaint->text : "unknown error");
    }
    free(path);
    return status;
}

static Status link_if_defined(Library *library, const char *name, LLVMContextRef context, LLVMModuleRef module, Complaint *complaint,
                              bool *changed, Error *error)
{
    const uint32_t *file = name ? names_find(&library->symbols, name) : NULL;
    if (!file || library->linked.data[*file]) return OK;
    *changed = true;
    return link_library_file(library, *file, context, module, complaint, error);
}

/* The names that the module needs and does not have, copied: linking changes its lists. */
static void missing_names(LLVMModuleRef module, NameMap *seen, char ***names, uint32_t *count)
{
    Vec(char *) found = {0};
    char buffer[32];
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) || !LLVMGetFirstUse(f)) continue;
        const char *name = LLVMGetIntrinsicID(f) ? front__intrinsic_symbol(f, buffer) : front__value_name(f);
        if (!name || names_find(seen, name)) continue;
        names_put(seen, name, 1);
        vec_push(&found, mem_strdup(name));
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        const char *name = front__value_name(g);
        if (!LLVMIsDeclaration(g) || !LLVMGetFirstUse(g) || names_find(seen, name)) continue;
        names_put(seen, name, 1);
        vec_push(&found, mem_strdup(name));
    }
    *names = found.data;
    *count = found.len;
}

static Status link_library(const FrontOptions *options, LLVMContextRef context, LLVMModuleRef module, Complaint *complaint, Error *error)
{
    Library library = {.directory = options->models_dir};
    NameMap seen = {0};
    bool changed = true;
    Status status = read_index(&library, error);
    if (status == OK && options->entry && strcmp(options->entry, "main") == 0)
        status = link_if_defined(&library, "clew__start", context, module, complaint, &changed, error);
    while (status == OK && changed) {
        char **names;
        uint32_t count;
        changed = false;
        missing_names(module, &seen, &names, &count);
        for (uint32_t i = 0; i < count; i++) {
            if (status == OK) status = link_if_defined(&library, names[i], context, module, complaint, &changed, error);
            free(names[i]);
        }
        vec__free(names);
    }
    names_release(&seen);
    release_library(&library);
    return status;
}

/* ---- the user's files ---- */

static Status link_sources(const Sources *sources, LLVMContextRef context, LLVMModuleRef module, Complaint *complaint, Error *error)
{
    for (uint32_t i = 0; i < sources->list.len; i++) {
        const Source *source = &sources->list.data[i];
        if (source->is_bitcode && examine_apart(source->path, error) != OK) return FAILED;
        LLVMModuleRef part = front__read_module(context, source->bitcode, error);
        if (!part) return FAILED;
        if (!i) {
            LLVMSetTarget(module, LLVMGetTarget(part));
            LLVMSetDataLayout(module, LLVMGetDataLayoutStr(part));
        }
        if (LLVMLinkModules2(module, part))
            return fail(error,
                        "cannot link %s with the other files: %s; if the name is meant to be private to a file make it static, and "
                        "give only files that belong to one program",
                        source->path, complaint->is_error ? complaint->text : "unknown error");
    }
    return OK;
}

static Status check_entry(const FrontOptions *options, const Sources *sources, LLVMModuleRef module, Error *error)
{
    if (!options->entry) return OK;
    LLVMValueRef entry = LLVMGetNamedFunction(module, options->entry);
    if (entry && !LLVMIsDeclaration(entry)) return OK;
    if (LLVMGetNamedGlobalAlias(module, options->entry, strlen(options->entry))) return OK;
    StrBuf files = {0};
    for (uint32_t i = 0; i < sources->list.len && files.len < 400; i++)
        strbuf_addf(&files, "%s%s", i ? ", " : "", sources->list.data[i].path);
    fail(error, "no function %s in %s: add the file that defines it, or test the functions one by one", options->entry, files.text);
    strbuf_release(&files);
    return FAILED;
}

/* ---- promotion ---- */

static bool returns_twice(LLVMValueRef function, unsigned attribute)
{
    static const char *const names[] = {"setjmp", "_setjmp",    "__setjmp", "sigsetjmp",          "__sigsetjmp",
                                        "vfork",  "getcontext", "savectx",  "llvm.eh.sjlj.setjmp"};
    if (LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute)) return true;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(front__value_name(function), names[i]) == 0) return true;
    return false;
}

/* A local that changed between setjmp and longjmp would be lost in a register; memory keeps it. */
static void keep_in_memory(LLVMContextRef context, LLVMValueRef callee)
{
    static const char *const names[] = {"optnone", "noinline"};
    for (LLVMUseRef use = LLVMGetFirstUse(callee); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user)) continue;
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        for (size_t i = 0; i < COUNT_OF(names); i++) {
            unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
            LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, kind, 0));
        }
    }
}

/* A constant the compiler could not give a value (1e30 as an int) becomes 0.  This comes before mem2reg, which makes `undef` for locals
 * that are read before they are written: those are to be noticed at run time, these are not. */
static void settle_constants(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                for (int k = 0; k < LLVMGetNumOperands(i); k++) {
                    LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
                    if (!LLVMIsAUndefValue(operand)) continue; /* poison is one, too */
                    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(operand));
                    bool scalar = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || kind == LLVMFloatTypeKind ||
                                  kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind;
                    if (scalar) LLVMSetOperand(i, (unsigned)k, LLVMConstNull(LLVMTypeOf(operand)));
                }
}

/* ---- locals that may be unset ----
 * Where a local is 1 on one way and unset on the other, mem2reg takes it for a plain 1.  A mark, a value that mem2reg cannot see through,
 * stored where the local begins keeps the two apart; after promotion the mark becomes `undef`. */

typedef Vec(LLVMValueRef) Marks;

/* Whether mem2reg will promote the local: it is only loaded and stored, as a whole. */
static bool is_promotable(LLVMValueRef local)
{
    LLVMTypeRef type = LLVMGetAllocatedType(local);
    for (LLVMUseRef use = LLVMGetFirstUse(local); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_store = LLVMIsAStoreInst(user);
        if ((!is_store && !LLVMIsALoadInst(user)) || LLVMGetVolatile(user)) return false;
        if (is_store && LLVMGetOperand(user, 0) == local) return false;
        if (LLVMTypeOf(is_store ? LLVMGetOperand(user, 0) : user) != type) return false;
    }
    return true;
}

/* What a block does to a local, by the numbers of both. */
enum { READS_FIRST = 1, WRITES = 2, VISITED = 4, MOST_VISITS = 256 };
typedef struct Accesses {
    Map blocks, locals; /* their numbers */
    Map kinds;          /* by pair of numbers: READS_FIRST | WRITES | VISITED */
    Marks names;        /* the locals */
    Vec(LLVMBasicBlockRef) work;
} Accesses;

static uint64_t pair(const Accesses *a, uint32_t local, LLVMBasicBlockRef block)
{
    return (uint64_t)local << 32 | *map_find(&a->blocks, (uintptr_t)block);
}

static void find_accesses(LLVMValueRef function, Accesses *a)
{
    uint32_t number = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        map_put(&a->blocks, (uintptr_t)b, number++);
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAAllocaInst(i) || !is_promotable(i)) continue;
        map_put(&a->locals, (uintptr_t)i, a->names.len);
        vec_push(&a->names, i);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bool is_store = LLVMIsAStoreInst(i);
            if (!is_store && !LLVMIsALoadInst(i)) continue;
            const uint64_t *local = map_find(&a->locals, (uintptr_t)LLVMGetOperand(i, is_store));
            if (!local) continue;
            uint64_t key = pair(a, (uint32_t)*local, b);
            const uint64_t *known = map_find(&a->kinds, key);
            map_put(&a->kinds, key, (known ? *known : is_store ? 0 : READS_FIRST) | (is_store ? WRITES : 0));
        }
}

static void visit(Accesses *a, uint32_t local, LLVMBasicBlockRef block, bool from_behind)
{
    uint64_t key = pair(a, local, block);
    const uint64_t *known = map_find(&a->kinds, key);
    uint64_t kind = known ? *known : 0;
    if ((kind & VISITED) || (from_behind && (kind & WRITES))) return;
    map_put(&a->kinds, key, kind | VISITED);
    vec_push(&a->work, block);
}

/* Whether some way leads from the start to a load and passes no store.  A long search is given up: a mark too many does no harm. */
static bool may_be_unset(Accesses *a, uint32_t local, LLVMBasicBlockRef entry)
{
    bool unset = false;
    vec_clear(&a->work);
    for (LLVMUseRef use = LLVMGetFirstUse(a->names.data[local]); use; use = LLVMGetNextUse(use)) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(LLVMGetUser(use));
        if (*map_find(&a->kinds, pair(a, local, block)) & READS_FIRST) visit(a, local, block, false);
    }
    for (uint32_t visits = 0; a->work.len && !unset; visits++) {
        LLVMBasicBlockRef block = vec_pop(&a->work);
        unset = block == entry || visits == MOST_VISITS;
        for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsATerminatorInst(user)) visit(a, local, LLVMGetInstructionParent(user), true);
        }
    }
    return unset;
}

static void find_unset(LLVMValueRef function, Marks *locals)
{
    Accesses a = {0};
    find_accesses(function, &a);
    for (uint32_t i = 0; i < a.names.len; i++)
        if (may_be_unset(&a, i, LLVMGetEntryBasicBlock(function))) vec_push(locals, a.names.data[i]);
    map_release(&a.blocks);
    map_release(&a.locals);
    map_release(&a.kinds);
    vec_release(&a.names);
    vec_release(&a.work);
}

static void mark_unset(LLVMContextRef context, LLVMModuleRef module, Marks *marks)
{
    unsigned optnone = LLVMGetEnumAttributeKindForName("optnone", 7);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    Marks locals = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, optnone)) continue;
        if (LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, MODEL_MARK, strlen(MODEL_MARK))) continue;
        vec_clear(&locals);
        find_unset(f, &locals);
        for (uint32_t i = 0; i < locals.len; i++) {
            LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(locals.data[i]));
            LLVMValueRef mark = LLVMBuildFreeze(builder, LLVMGetUndef(LLVMGetAllocatedType(locals.data[i])), "");
            LLVMBuildStore(builder, mark, locals.data[i]);
            vec_push(marks, mark);
        }
    }
    vec_release(&locals);
    LLVMDisposeBuilder(builder);
}

static void replace_marks(Marks *marks)
{
    for (uint32_t i = 0; i < marks->len; i++) {
        LLVMReplaceAllUsesWith(marks->data[i], LLVMGetUndef(LLVMTypeOf(marks->data[i])));
        LLVMInstructionEraseFromParent(marks->data[i]);
    }
    vec_release(marks);
}

static Status promote(LLVMContextRef context, LLVMModuleRef module, Error *error)
{
    unsigned optnone = LLVMGetEnumAttributeKindForName("optnone", 7), twice = LLVMGetEnumAttributeKindForName("returns_twice", 13);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, optnone);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (returns_twice(f, twice)) keep_in_memory(context, f);
    settle_constants(module);
    Marks marks = {0};
    mark_unset(context, module, &marks);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef problem = LLVMRunPasses(module, "function(mem2reg)", NULL, options);
    LLVMDisposePassBuilderOptions(options);
    replace_marks(&marks);
    if (!problem) return OK;
    char *text = LLVMGetErrorMessage(problem);
    Status status = fail(error, "cannot promote locals to registers: %s", text);
    LLVMDisposeErrorMessage(text);
    return status;
}

Status front__link(const FrontOptions *options, const Sources *sources, LLVMContextRef context, LLVMModuleRef *module, Error *error)
{
    Complaint complaint = {0};
    LLVMContextSetDiagnosticHandler(context, take_complaint, &complaint);
    *module = LLVMModuleCreateWithNameInContext("program", context);
    Status status = link_sources(sources, context, *module, &complaint, error);
    if (status == OK) front__split_conditions(*module);
    if (status == OK) front__guide(options, sources, context, *module);
    if (status == OK) status = check_entry(options, sources, *module, error);
    if (status == OK) front__let_fail(options, *module);
    if (status == OK && options->models_dir) status = link_library(options, context, *module, &complaint, error);
    if (status == OK) status = promote(context, *module, error);
    LLVMContextSetDiagnosticHandler(context, NULL, NULL);
    if (status != OK) {
        LLVMDisposeModule(*module);
        *module = NULL;
    }
    return status;
}
