/* What the checker knows of the program: where instructions stand, which calls lead where, which objects are seen completely, what they hold at first. */
#include "check.h"

#include <llvm-c/BitReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_OBJECT \
    ((uint64_t)1 << 16) /* bytes; larger objects are not tracked, so that hostile bitcode cannot ask for any amount of memory */

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

unsigned type_width(const Program *program, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind) return LLVMGetPointerAddressSpace(type) == 0 && LLVMPointerSize(program->layout) == 8 ? 64 : 0;
    unsigned width = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
    return width <= 64 ? width : 0;
}

/* ---- calls ---- */

/* Functions of the C library that call nothing of the program and change only objects that they are given a pointer to, directly or through
 * other objects.  Their results are arbitrary.  `exit` calls only what was given to atexit, which counts as unknown.  (qsort, bsearch, atexit and the like call the program; they are not here, so they count as unknown.) */
static const char quiet[] =
    " abs labs llabs div ldiv atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof rand srand rand_r random srandom "
    "malloc calloc realloc free aligned_alloc posix_memalign memcpy memmove memset memcmp memchr strlen strnlen strcpy strncpy "
    "strcat strncat strcmp strncmp strcasecmp strncasecmp strcoll strchr strrchr strstr strpbrk strspn strcspn strtok strtok_r "
    "strdup strndup strerror isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit "
    "tolower toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc printf fprintf sprintf snprintf vprintf vfprintf "
    "vsprintf vsnprintf puts fputs putchar putc fputc perror scanf fscanf sscanf __isoc99_scanf __isoc99_fscanf __isoc99_sscanf "
    "getchar getc fgetc ungetc gets fgets getline fopen fclose fflush fread fwrite fseek ftell rewind feof ferror clearerr fileno "
    "remove rename tmpfile setvbuf setbuf read write open close lseek unlink getenv time clock difftime gettimeofday clock_gettime "
    "localtime gmtime mktime strftime usleep sleep getpid isatty abort exit _exit _Exit __assert_fail __assert __errno_location "
    "sqrt sqrtf pow powf exp log log10 log2 sin cos tan asin acos atan atan2 floor ceil round trunc fabs fmod ldexp frexp modf "
    "lround lrint fmin fmax klee_make_symbolic klee_range klee_int klee_silent_exit __VERIFIER_error reach_error bzero bcopy htons "
    "htonl ntohs ntohl ";
static const char assumes[] = " __VERIFIER_assume klee_assume clew_assume clew__assume ";

bool is_listed(const char *name, const char *list)
{
    size_t n = strchr(name, ' ') ? 0 : strlen(name);
    for (const char *at = list; n && (at = strstr(at, name)) != NULL; at++)
        if (at[-1] == ' ' && at[n] == ' ') return true;
    return false;
}

/* Assembly without text changes nothing but its results. */
static bool is_empty_assembly(LLVMValueRef assembly)
{
    size_t n;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &n);
    for (size_t i = 0; i < n; i++)
        if (!strchr(" \t\n;", text[i])) return false;
    return true;
}

/* Of the quiet functions those that change no memory at all, as long as they are given no pointers but to constants. */
static const char still[] =
    " abs labs llabs rand srand random srandom isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace "
    "isupper isxdigit tolower toupper abort exit _exit _Exit __assert_fail malloc calloc atoi atol getpid sleep usleep klee_range "
    "klee_int klee_silent_exit __VERIFIER_error reach_error htons htonl ntohs ntohl ";
/* These only read what their arguments point to. */
static const char reading[] =
    " strlen strnlen strcmp strncmp strcasecmp strncasecmp memcmp memchr strchr strrchr strstr strpbrk strspn strcspn "
    "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc ";
static const char printing[] = " printf puts putchar perror ";
static const char failing[] = " malloc calloc atoi atol sleep usleep printf puts putchar perror "; /* they may set errno */

bool leaves_memory(const Program *program, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) return true; /* without text */
    const char *name = name_of(callee);
    if (is_listed(name, reading)) return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
        if (pointer && !LLVMIsNull(argument) && !(LLVMIsAGlobalVariable(argument) && LLVMIsGlobalConstant(argument))) return false;
    }
    if (program->errors && is_listed(name, failing)) return false;
    if (is_listed(name, printing)) return !program->buffers;
    return starts_with(name, "llvm.") || starts_with(name, "__VERIFIER_nondet_") || is_listed(name, still);
}

static CallKind intrinsic_kind(const char *name)
{
    if (starts_with(name, "llvm.memcpy") || starts_with(name, "llvm.memmove")) return CALL_COPY;
    if (starts_with(name, "llvm.memset")) return CALL_SET;
    if (starts_with(name, "llvm.expect")) return CALL_SAME;
    if (starts_with(name, "llvm.dbg.")) return CALL_NOTHING;
    return CALL_QUIET; /* a pointer given to it has escaped */
}

/* The library calls the program's own malloc, if it has one. */
static bool replaces_allocation(LLVMModuleRef module)
{
    static const char *const names[] = {"malloc", "calloc", "realloc", "free", "aligned_alloc", "memalign", "posix_memalign"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef fn = LLVMGetNamedFunction(module, names[i]);
        if (fn && !LLVMIsDeclaration(fn) && LLVMGetLinkage(fn) != LLVMInternalLinkage) return true;
    }
    return false;
}

CallKind call_kind(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) return is_empty_assembly(callee) ? CALL_QUIET : CALL_UNKNOWN;
    if (!LLVMIsAFunction(callee)) return CALL_COMPUTED;
    const char *name = name_of(callee);
    if (starts_with(name, "llvm.")) return intrinsic_kind(name);
    LLVMLinkage linkage = LLVMGetLinkage(callee);
    if (linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMExternalWeakLinkage) return CALL_UNKNOWN;
    if (!LLVMIsDeclaration(callee)) return CALL_PROGRAM;
    if (is_listed(name, assumes)) return CALL_ASSUME;
    if (starts_with(name, "__VERIFIER_nondet_") || starts_with(name, "clew_")) return CALL_QUIET;
    return is_listed(name, quiet) && !replaces_allocation(LLVMGetGlobalParent(callee)) ? CALL_QUIET : CALL_UNKNOWN;
}

/* ---- reading ---- */

static bool is_debug_information(LLVMValueRef instr)
{
    return LLVMIsACallInst(instr) && LLVMIsAFunction(LLVMGetCalledValue(instr)) && call_kind(instr) == CALL_NOTHING;
}

static void add_object(Program *p, LLVMValueRef ref, bool local, LLVMTypeRef type)
{
    p->objects = grow(p->objects, p->object_count, sizeof *p->objects);
    Object object = {.ref = ref, .local = local, .size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(p->layout, type) : 0};
    object.constant = !local && LLVMIsGlobalConstant(ref);
    p->objects[p->object_count] = object;
    table_put(&p->object_numbers, ref, ++p->object_count);
}

static void check_terminator(LLVMValueRef instr, const char *fn)
{
    if (LLVMIsABranchInst(instr) || LLVMIsASwitchInst(instr) || LLVMIsAReturnInst(instr) || LLVMIsAUnreachableInst(instr) ||
        LLVMIsAIndirectBrInst(instr))
        return;
    reject("%s: this kind of control flow is not supported (asm goto or exceptions)", fn);
}

static void read_block(Program *p, unsigned fn, unsigned number, LLVMBasicBlockRef ref)
{
    Block *block = &p->fns[fn].blocks[number];
    block->ref = ref;
    block->place = p->place_count;
    for (LLVMValueRef i = LLVMGetFirstInstruction(ref); i; i = LLVMGetNextInstruction(i)) {
        if (is_debug_information(i)) continue;
        block->instrs = grow(block->instrs, block->count, sizeof *block->instrs);
        p->places = grow(p->places, p->place_count, sizeof *p->places);
        p->places[p->place_count] = (Place){fn, number, block->count};
        table_put(&p->place_numbers, i, ++p->place_count);
        if (LLVMIsAPHINode(i)) block->first = block->count + 1;
        if (LLVMIsAAllocaInst(i)) add_object(p, i, true, LLVMGetAllocatedType(i));
        block->instrs[block->count++] = i;
    }
    LLVMValueRef last = LLVMGetBasicBlockTerminator(ref);
    if (!last) reject("%s: a block without an end", p->fns[fn].name);
    check_terminator(last, p->fns[fn].name);
    table_put(&p->block_numbers, LLVMBasicBlockAsValue(ref), number + 1);
}

/* Whether a function is used otherwise than to be called directly: its address can be anywhere. */
static bool is_taken(LLVMValueRef fn)
{
    for (LLVMUseRef use = LLVMGetFirstUse(fn); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != fn) return true;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == fn) return true;
    }
    return false;
}

/* Control may come back from these twice, or the program's code may run while other code of it or a quiet function of the library runs. */
static const char uncontrolled[] =
    " setjmp _setjmp __setjmp sigsetjmp __sigsetjmp longjmp _longjmp siglongjmp vfork getcontext setcontext makecontext swapcontext "
    "signal sigaction bsd_signal sysv_signal pthread_create thrd_create clone timer_create sigset llvm.eh.sjlj.setjmp "
    "llvm.eh.sjlj.longjmp __sysv_signal ssignal fopencookie funopen register_printf_function register_printf_specifier "
    "register_printf_modifier ";

void program_read(Program *p, const char *path)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) reject("cannot read %s: %s", path, message);
    LLVMContextRef context = LLVMContextCreate();
    if (LLVMParseBitcodeInContext2(context, buffer, &p->module)) reject("%s is not bitcode that LLVM can read", path);
    p->layout = LLVMGetModuleDataLayout(p->module);
    if (LLVMByteOrder(p->layout) != LLVMLittleEndian) reject("%s is for a big-endian machine", path);
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
        if (is_listed(name_of(f), uncontrolled) && LLVMGetFirstUse(f))
            reject("the program uses %s; programs with jumps between functions, signals, threads or streams of their own are not supported",
                   name_of(f));
        p->buffers |= strncmp(name_of(f), "setvbuf", 7) == 0 || strncmp(name_of(f), "setbuf", 6) == 0 ||
                      strcmp(name_of(f), "setlinebuf") == 0 || strcmp(name_of(f), "fmemopen") == 0 ||
                      strcmp(name_of(f), "open_memstream") == 0;
        p->errors |= strcmp(name_of(f), "__errno_location") == 0;
        if (LLVMIsDeclaration(f)) continue;
        p->fns = grow(p->fns, p->fn_count, sizeof *p->fns);
        p->fns[p->fn_count] = (Fn){.ref = f, .name = name_of(f), .block_count = LLVMCountBasicBlocks(f), .taken = is_taken(f)};
        table_put(&p->fn_numbers, f, ++p->fn_count);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g)) add_object(p, g, false, LLVMGlobalGetValueType(g));
    for (unsigned i = 0; i < p->fn_count; i++) {
        unsigned number = 0;
        p->fns[i].entry = p->place_count;
        p->fns[i].blocks = get(p->fns[i].block_count * sizeof(Block));
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->fns[i].ref); b; b = LLVMGetNextBasicBlock(b)) read_block(p, i, number++, b);
    }
    p->location_count = p->place_count;
    for (size_t i = 0; i < p->fn_count; i++) p->fns[i].exit = p->location_count++;
}

size_t program_fn(const Program *p, const char *name)
{
    LLVMValueRef fn = LLVMGetNamedFunction(p->module, name);
    return fn ? table_get(&p->fn_numbers, fn) : 0;
}

/* ---- objects ---- */

bool is_gep(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) || (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

int gep_indices(const Program *p, LLVMValueRef gep, uint64_t *offset, Index indices[MOST_INDICES])
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int count = 0;
    if (!type_width(p, LLVMTypeOf(gep))) return -1;
    for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        if (!type_width(p, LLVMTypeOf(index)) || !LLVMTypeIsSized(type)) return -1;
        if (i > 1 && kind == LLVMStructTypeKind) {
            uint64_t field = LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) : UINT64_MAX;
            if (field >= LLVMCountStructElementTypes(type)) return -1;
            *offset += LLVMOffsetOfElement(p->layout, type, (unsigned)field);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)field);
            continue;
        }
        if (i > 1 && kind != LLVMArrayTypeKind) return -1;
        if (i > 1) type = LLVMGetElementType(type);
        if (!LLVMTypeIsSized(type)) return -1;
        uint64_t scale = LLVMABISizeOfType(p->layout, type);
        if (LLVMIsAConstantInt(index)) *offset += (uint64_t)LLVMConstIntGetSExtValue(index) * scale;
        else if (count == MOST_INDICES) return -1;
        else indices[count++] = (Index){index, scale};
    }
    return count;
}

/* Whether every use of the address (or of one computed from it) is a plain access or a comparison. */
static bool stays(const Program *p, LLVMValueRef address, unsigned depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user)) continue;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address) continue;
        Index indices[MOST_INDICES];
        uint64_t offset = 0;
        bool derives = is_gep(user) ? gep_indices(p, user, &offset, indices) >= 0 : LLVMIsABitCastInst(user) != NULL;
        if (derives && LLVMGetOperand(user, 0) == address && depth < 32 && stays(p, user, depth + 1)) continue;
        if (LLVMIsACallInst(user) && (call_kind(user) == CALL_COPY || call_kind(user) == CALL_SET)) continue;
        return false;
    }
    return true;
}

/* Copies a constant's bytes as far as they are plain numbers, and notes the addresses in it. */
static void initial_bytes(const Program *p, LLVMValueRef value, uint8_t *bytes, uint8_t *known, LLVMValueRef *pointers, uint64_t at)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    uint64_t size = LLVMABISizeOfType(p->layout, type);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMIsUndef(value) || LLVMIsPoison(value)) return;
    if (LLVMIsNull(value)) {
        memset(known + at, 1, size);
    } else if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(type) <= 64) {
        uint64_t number = LLVMConstIntGetZExtValue(value);
        for (uint64_t i = 0; i < size && LLVMGetIntTypeWidth(type) % 8 == 0; i++)
            bytes[at + i] = (uint8_t)(i < 8 ? number >> 8 * i : 0), known[at + i] = 1;
    } else if (kind == LLVMPointerTypeKind) {
        pointers[at] = value;
    } else if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
            LLVMValueRef element = LLVMGetAggregateElement(value, i);
            if (element) initial_bytes(p, element, bytes, known, pointers, at + LLVMOffsetOfElement(p->layout, type, i));
        }
    } else if (kind == LLVMArrayTypeKind) {
        uint64_t stride = LLVMABISizeOfType(p->layout, LLVMGetElementType(type)), n = LLVMGetArrayLength2(type);
        for (uint64_t i = 0; i < n; i++) {
            LLVMValueRef element = LLVMGetAggregateElement(value, (unsigned)i);
            if (element) initial_bytes(p, element, bytes, known, pointers, at + i * stride);
        }
    }
}

static void track(Program *p, Object *object)
{
    LLVMValueRef ref = object->ref;
    if (object->size == 0 || object->size > LARGEST_OBJECT) return;
    object->escaped = !stays(p, ref, 0);
    if (object->local) { /* only what each activation has exactly once */
        const Place *place = &p->places[table_get(&p->place_numbers, ref) - 1];
        LLVMValueRef count = LLVMGetOperand(ref, 0);
        object->tracked = place->block == 0 && LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
        return;
    }
    LLVMLinkage linkage = LLVMGetLinkage(ref);
    bool internal = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    object->escaped |= !internal && (!p->whole || p->outside); /* code that is not here may have taken its address */
    object->foreign = !LLVMGetInitializer(ref);
    const char *section = LLVMGetSection(ref);
    object->escaped |= p->assembly || object->foreign ||
                       (section && *section); /* the library has variables of its own; the linker names where sections start */
    object->tracked = !LLVMIsThreadLocal(ref);
    bool defined = LLVMGetInitializer(ref) && (internal || linkage == LLVMExternalLinkage);
    object->constant &= defined;
    if (!defined) return;
    uint8_t *bytes = get(object->size), *known = get(object->size);
    LLVMValueRef *pointers = get(object->size * sizeof *pointers);
    initial_bytes(p, LLVMGetInitializer(ref), bytes, known, pointers, 0);
    object->bytes = bytes;
    object->known = known;
    object->pointers = pointers;
}

/* ---- who is called from outside ---- */

/* Whether pointers to code outside may come into the program otherwise than by a call of unknown code: in a variable that is only declared, from a number, as
 * the address of a function without a body, or from dlsym. */
static bool has_foreign_pointers(const Program *p)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g))
        if (LLVMIsDeclaration(g) && !is_listed(name_of(g), " stdin stdout stderr ")) return true;
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && (strcmp(name_of(f), "dlsym") == 0 || (!starts_with(name_of(f), "llvm.") && is_taken(f)))) return true;
    for (size_t i = 0; i < p->place_count; i++) {
        const Place *place = &p->places[i];
        LLVMValueRef instr = p->fns[place->fn].blocks[place->block].instrs[place->instr];
        if (LLVMIsAIntToPtrInst(instr) || (LLVMIsACallInst(instr) && LLVMIsAConstantExpr(LLVMGetCalledValue(instr)))) return true;
    }
    return false;
}

static void find_outside(Program *p)
{
    bool computed = LLVMGetFirstGlobalIFunc(p->module) != NULL, foreign = !p->whole || has_foreign_pointers(p);
    p->outside = computed;
    for (size_t i = 0; i < p->place_count; i++) {
        const Place *place = &p->places[i];
        LLVMValueRef instr = p->fns[place->fn].blocks[place->block].instrs[place->instr];
        if (!LLVMIsACallInst(instr)) continue;
        p->outside |= call_kind(instr) == CALL_UNKNOWN;
        computed |= call_kind(instr) == CALL_COMPUTED;
    }
    p->outside |= computed && foreign;
}

void program_open(Program *p, const char *entry, const char *const *units, size_t unit_count)
{
    static const char *const lists[] = {"llvm.global_ctors", "llvm.global_dtors"};
    static const char *const started[] = {".init_array", ".preinit_array", ".fini_array", ".ctors", ".dtors"};
    p->whole = entry != NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (LLVMGetNamedGlobal(p->module, lists[i])) reject("the program has constructors or destructors, which are not supported");
    if (entry && !program_fn(p, entry)) reject("the bitcode does not define the entry '%s'", entry);
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g)) {
        const char *section = LLVMGetSection(g);
        for (size_t i = 0; section && i < sizeof started / sizeof *started; i++)
            if (starts_with(section, started[i])) reject("the program has functions in %s, which is not supported", section);
    }
    size_t length;
    LLVMGetModuleInlineAsm(p->module, &length);
    p->assembly = length > 0;
    find_outside(p);
    for (size_t i = 0; i < unit_count; i++) {
        size_t fn = program_fn(p, units[i]);
        if (!fn) reject("the bitcode does not define the function '%s' that the certificate is about", units[i]);
        p->fns[fn - 1].open = true;
    }
    for (size_t i = 0; i < p->fn_count; i++) {
        LLVMLinkage linkage = LLVMGetLinkage(p->fns[i].ref);
        bool internal = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
        p->fns[i].initial = entry && strcmp(p->fns[i].name, entry) == 0;
        p->fns[i].open |= p->outside && (p->fns[i].taken || (!internal && !p->fns[i].initial));
    }
    for (size_t i = 0; i < p->object_count; i++) {
        track(p, &p->objects[i]);
        p->objects[i].exposed = p->objects[i].escaped;
    }
}
