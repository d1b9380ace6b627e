/* Instructions as formulas over bit vectors.
 *
 * A register of a frame is a symbol until an instruction of the segment at hand defines it anew.  Memory is a stack of changes (layers) over an unknown or
 * initial memory; reading a byte of a tracked object looks through the layers from the newest on.  Objects that are not tracked have no content here: what
 * is loaded from them is any value. */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CELLS = 256,        /* elements of an object that an access at an unknown index is divided into; more are one unknown value */
    DEEPEST_PREDICATE = 64,  /* nesting of a predicate */
    DEEPEST_SHARED = 5000,   /* nesting of shared terms, for the stack of this process: each needs less than 1 KiB of it */
    WIDEST_TERM = 128,       /* bits of a number in a predicate */
    DEEPEST_EXPRESSION = 64, /* nesting of constant expressions and chains of addresses */
};

/* ---- terms and symbols ---- */

static char **texts; /* of the terms of the query at hand */
static size_t text_count;

Term term_format(unsigned width, const char *format, ...)
{
    va_list args;
    texts = grow(texts, text_count, sizeof *texts);
    va_start(args, format);
    if (vasprintf(&texts[text_count], format, args) < 0) reject("out of memory");
    va_end(args);
    return (Term){.text = texts[text_count++], .width = width};
}

void query_start(Query *q)
{
    while (text_count) free(texts[--text_count]);
    q->symbols.len = q->body.len = 0;
    add(&q->symbols, "%s", "");
    add(&q->body, "%s", "");
    json_t **sets[] = {&q->declared, &q->defined, &q->excluded};
    for (int i = 0; i < 3; i++) json_decref(*sets[i]), *sets[i] = json_object();
    q->layer_count = q->fresh = q->extent_count = q->cell_count = 0;
    q->initial = false;
    q->state++;
}

/* True the first time that the query sees this text in this set. */
static bool is_new(json_t *set, const char *text)
{
    if (json_object_get(set, text)) return false;
    if (json_object_set_new(set, text, json_true()) != 0) reject("out of memory");
    return true;
}

static Term constant(unsigned width, uint64_t value)
{
    return term_format(width, "(_ bv%llu %u)", (unsigned long long)(width < 64 ? value & (((uint64_t)1 << width) - 1) : value), width);
}

/* That an address is a multiple of a power of two. */
static Term multiple_of(Term address, uint64_t alignment)
{
    return term_format(BOOL, "(= (bvand %s (_ bv%llu 64)) (_ bv0 64))", address.text, (unsigned long long)(alignment - 1));
}

/* The address of something that has `size` bytes: not 0, aligned, with all its bytes before the end of the address space, and not inside of anything else.  Of
 * what has no size here, the last two are not known. */
static Term address_symbol(Query *q, Term name, uint64_t size, uint64_t alignment)
{
    if (!is_new(q->declared, name.text)) return name;
    add(&q->symbols, "(declare-const %s (_ BitVec 64))\n(assert (not (= %s (_ bv0 64))))\n", name.text, name.text);
    if (alignment > 1) add(&q->symbols, "(assert %s)\n", multiple_of(name, alignment).text);
    if (size) add(&q->symbols, "(assert (bvult %s %s))\n", name.text, constant(64, -size).text);
    for (size_t i = 0; size && i < q->extent_count; i++)
        add(&q->symbols, "(assert (bvuge (bvsub %s %s) (_ bv%llu 64)))\n(assert (bvuge (bvsub %s %s) (_ bv%llu 64)))\n", name.text,
            q->extents[i].start, (unsigned long long)q->extents[i].size, q->extents[i].start, name.text, (unsigned long long)size);
    if (!size) return name;
    q->extents = grow(q->extents, q->extent_count, sizeof *q->extents);
    q->extents[q->extent_count++] = (Extent){name.text, size};
    return name;
}

/* The bytes that an object has for itself; 0 if its address may be that of another one: declared only, weak, merged, or not alive all the time. */
static uint64_t own_size(const Object *o)
{
    if (o->local) return o->tracked ? o->size : 0;
    LLVMLinkage linkage = LLVMGetLinkage(o->ref);
    bool plain = linkage == LLVMInternalLinkage || linkage == LLVMExternalLinkage;
    return plain && LLVMGetInitializer(o->ref) && LLVMGetUnnamedAddress(o->ref) == LLVMNoUnnamedAddr && !LLVMIsThreadLocal(o->ref) ? o->size
                                                                                                                                   : 0;
}

static Term symbol(Query *q, Term name)
{
    if (is_new(q->declared, name.text)) add(&q->symbols, "(declare-const %s (_ BitVec %u))\n", name.text, name.width);
    return name;
}

Term fresh(Query *q, unsigned width)
{
    return width ? symbol(q, term_format(width, "any%zu", q->fresh++)) : (Term){0};
}

void require(Query *q, Term condition)
{
    add(&q->body, "(assert %s)\n", condition.text);
}

/* Gives a term a short name, so that texts stay small; equal texts get the same one. */
static Term define(Query *q, Term term)
{
    if (!term.width || strlen(term.text) < 24) return term;
    const char *known = json_string_value(json_object_get(q->defined, term.text)), *text = term.text;
    if (known) {
        term.text = term_format(term.width, "%s", known).text;
        return term;
    }
    term.text = term_format(term.width, "t%zu", q->fresh++).text;
    json_object_set_new(q->defined, text, json_string(term.text));
    add(&q->body, "(define-fun %s () (_ BitVec %u) %s)\n", term.text, term.width, text);
    return term;
}

void exclude(Query *q, Term condition)
{
    if (is_new(q->excluded, condition.text)) require(q, term_format(BOOL, "(not %s)", condition.text));
}

bool is_excluded(const Query *q, Term condition)
{
    return json_object_get(q->excluded, condition.text) != NULL;
}

static Term bit(Term condition)
{
    return term_format(1, "(ite %s #b1 #b0)", condition.text);
}

static Term resized(Term t, unsigned width, bool sign)
{
    if (!t.width || t.width == width) return t;
    if (t.width > width) return term_format(width, "((_ extract %u 0) %s)", width - 1, t.text);
    return term_format(width, "((_ %s %u) %s)", sign ? "sign_extend" : "zero_extend", width - t.width, t.text);
}

/* ---- registers ---- */

void frame_start(Frame *frame, const Fn *fn, unsigned tag)
{
    table_clear(&frame->values);
    frame->fn = fn;
    frame->tag = tag;
    frame->term_count = 0;
    frame->at_exit = false;
    frame->result = (Term){0};
}

void frame_set(Frame *frame, LLVMValueRef value, Term term)
{
    frame->terms = grow(frame->terms, frame->term_count, sizeof *frame->terms);
    frame->terms[frame->term_count] = term;
    table_put(&frame->values, value, ++frame->term_count);
}

static Term register_of(Query *q, Frame *frame, LLVMValueRef value)
{
    size_t number = table_get(&frame->values, value);
    if (number) return frame->terms[number - 1];
    unsigned width = type_width(q->program, LLVMTypeOf(value));
    if (!width) return (Term){0};
    if (LLVMIsAArgument(value)) {
        unsigned i = 0;
        while (LLVMGetParam(frame->fn->ref, i) != value) i++;
        return symbol(q, term_format(width, "f%u.p%u", frame->tag, i));
    }
    size_t place = table_get(&q->program->place_numbers, value);
    Term term = term_format(width, "f%u.v%zu", frame->tag, place);
    if (!LLVMIsAAllocaInst(value) || width != 64) return symbol(q, term);
    term.object = table_get(&q->program->object_numbers, value);
    term = address_symbol(q, term, own_size(&q->program->objects[term.object - 1]), LLVMGetAlignment(value));
    term.tag = frame->tag;
    return term;
}

/* ---- addresses ---- */

typedef struct Address {
    size_t object; /* number + 1; 0: unknown */
    uint64_t offset;
    Term variable; /* of width 0: none */
} Address;

static Term sum(Term a, Term b)
{
    return !a.width ? b : !b.width ? a : term_format(64, "(bvadd %s %s)", a.text, b.text);
}

/* The address some bytes after another one. */
static Term farther(Query *q, Term from, uint64_t bytes)
{
    Term to = from;
    if (!from.base) to.base = from.text;
    to.offset += bytes;
    to.text = to.offset ? term_format(64, "(bvadd %s (_ bv%llu 64))", to.base, (unsigned long long)to.offset).text : to.base;
    return define(q, to);
}

/* The bytes that a GEP adds; false if a part of them is not modelled. */
static bool gep_offset(Query *q, Frame *frame, LLVMValueRef gep, uint64_t *offset, Term *variable)
{
    Index indices[MOST_INDICES];
    int count = gep_indices(q->program, gep, offset, indices);
    for (int i = 0; i < count; i++) {
        Term step = resized(value_of(q, frame, indices[i].value), 64, true);
        *variable = sum(*variable, term_format(64, "(bvmul %s (_ bv%llu 64))", step.text, (unsigned long long)indices[i].scale));
    }
    return count >= 0;
}

/* Follows the computation of an address to an object.  The variables in it are SSA values that have not changed since: a chain is followed only
 * through what dominates its use, and no register on it is defined anew between the two. */
static Address address_of(Query *q, Frame *frame, LLVMValueRef pointer)
{
    Address address = {0};
    for (unsigned depth = 0; depth < DEEPEST_EXPRESSION; depth++) {
        if (is_gep(pointer)) {
            if (!gep_offset(q, frame, pointer, &address.offset, &address.variable)) break;
            pointer = LLVMGetOperand(pointer, 0);
        } else if (LLVMIsABitCastInst(pointer)) {
            pointer = LLVMGetOperand(pointer, 0);
        } else {
            address.object = table_get(&q->program->object_numbers, pointer);
            break;
        }
    }
    return address;
}

/* Addresses of objects and of functions of the program differ from NULL; of other functions any address is possible each time. */
static Term global_address(Query *q, LLVMValueRef value)
{
    size_t object = table_get(&q->program->object_numbers, value), fn = table_get(&q->program->fn_numbers, value);
    if ((!object && !fn) || LLVMGetLinkage(value) == LLVMExternalWeakLinkage) return fresh(q, 64);
    Term term = address_symbol(q, term_format(64, "%s%zu", object ? "object" : "function", object ? object : fn),
                               object ? own_size(&q->program->objects[object - 1]) : 1,
                               object && own_size(&q->program->objects[object - 1]) ? LLVMGetAlignment(value) : 1);
    term.object = object;
    return term;
}

static Term computed_address(Query *q, Frame *frame, LLVMValueRef gep)
{
    uint64_t offset = 0;
    Term variable = {0};
    if (!gep_offset(q, frame, gep, &offset, &variable)) return fresh(q, type_width(q->program, LLVMTypeOf(gep)));
    Term base = value_of(q, frame, LLVMGetOperand(gep, 0));
    if (base.width != 64) return fresh(q, 64);
    return variable.width ? define(q, sum(sum(base, variable), offset ? constant(64, offset) : (Term){0})) : farther(q, base, offset);
}

static Term constant_expression(Query *q, Frame *frame, LLVMValueRef value, unsigned width)
{
    LLVMOpcode opcode = LLVMGetConstOpcode(value);
    if (opcode == LLVMGetElementPtr) return computed_address(q, frame, value);
    if (opcode == LLVMPtrToInt || opcode == LLVMIntToPtr || opcode == LLVMBitCast || opcode == LLVMTrunc) {
        Term term = value_of(q, frame, LLVMGetOperand(value, 0));
        if (term.width) return resized(term, width, false);
    }
    return fresh(q, width);
}

Term value_of(Query *q, Frame *frame, LLVMValueRef value)
{
    unsigned width = type_width(q->program, LLVMTypeOf(value));
    if (!width) return (Term){0};
    if (LLVMIsAConstantInt(value)) return constant(width, LLVMConstIntGetZExtValue(value));
    if (LLVMIsAConstantPointerNull(value)) return constant(64, 0);
    if (LLVMIsUndef(value) || LLVMIsPoison(value)) return fresh(q, width);
    if (LLVMIsAInstruction(value) || LLVMIsAArgument(value)) return register_of(q, frame, value);
    if (LLVMIsAGlobalVariable(value) || LLVMIsAFunction(value)) return global_address(q, value);
    if (LLVMIsAConstantExpr(value)) return constant_expression(q, frame, value, width);
    return fresh(q, width);
}

/* ---- memory ---- */

void layer_push(Query *q, Layer layer)
{
    q->layers = grow(q->layers, q->layer_count, sizeof *q->layers);
    q->layers[q->layer_count++] = layer;
}

static Term byte_of(Term value, uint64_t i)
{
    return term_format(8, "((_ extract %u %u) %s)", 8 * (unsigned)i + 7, 8 * (unsigned)i, value.text);
}

static Term unknown_byte(Query *q, unsigned tag, size_t layer, size_t object, uint64_t at)
{
    return symbol(q, term_format(8, "m%u.%zu.%zu.%llu", tag, layer, object, (unsigned long long)at));
}

static Term byte_at(Query *q, unsigned tag, size_t layer, size_t object, uint64_t at);

static Term byte_below_write(Query *q, const Layer *l, unsigned tag, size_t layer, size_t object, uint64_t at)
{
    if (!l->variable.width) {
        if (at < l->offset || at - l->offset >= l->size) return byte_at(q, tag, layer, object, at);
        return l->value.width ? byte_of(l->value, at - l->offset) : unknown_byte(q, tag, layer + 1, object, at);
    }
    if (l->size & (l->size - 1)) return fresh(q, 8);
    /* The write starts at offset + variable.  The one start that is a multiple of the size away from the offset and covers this byte: */
    uint64_t into = (at - l->offset) % l->size, start = at - l->offset - into;
    Term hit = term_format(BOOL, "(= %s (_ bv%llu 64))", l->variable.text, (unsigned long long)start);
    Term aligned = term_format(BOOL, "(= (bvurem %s (_ bv%llu 64)) (_ bv0 64))", l->variable.text, (unsigned long long)l->size);
    Term new = l->value.width ? byte_of(l->value, into) : unknown_byte(q, tag, layer + 1, object, at);
    Term old = byte_at(q, tag, layer, object, at), other = fresh(q, 8);
    return define(q, term_format(8, "(ite %s %s (ite %s %s %s))", hit.text, new.text, aligned.text, old.text, other.text));
}

/* The object that an address is known to point into; NULL: none is known. */
static const Object *pointed_to(const Query *q, Term address)
{
    const Object *o = address.object ? &q->program->objects[address.object - 1] : NULL;
    return o && address.offset < own_size(o) ? o : NULL;
}

/* 1: the addresses are equal, 0: they differ, -1: that depends.  Objects do not overlap. */
static int same_address(const Query *q, Term a, Term b)
{
    if (strcmp(a.base ? a.base : a.text, b.base ? b.base : b.text) == 0) return a.offset == b.offset;
    return pointed_to(q, a) && pointed_to(q, b) && (a.object != b.object || a.tag != b.tag) ? 0 : -1;
}

/* The byte at `address` after a write of `size` bytes to `to`: part of the value where it was hit, else what was there before.  All conditions compare the
 * distance of the two bases with constants, which solvers like best. */
static Term byte_after_store(Query *q, Term to, uint64_t size, Term value, Term address, Term before)
{
    Term distance = {0};
    for (uint64_t i = 0; i < size; i++) {
        int same = same_address(q, farther(q, to, i), address);
        if (same == 0) continue;
        Term new = value.width ? byte_of(value, i) : fresh(q, 8);
        if (same == 1) return new;
        if (!distance.width)
            distance = define(q, term_format(64, "(bvsub %s %s)", to.base ? to.base : to.text, address.base ? address.base : address.text));
        before = define(q, term_format(8, "(ite (= %s (_ bv%llu 64)) %s %s)", distance.text,
                                       (unsigned long long)(address.offset - to.offset - i), new.text, before.text));
    }
    return before;
}

static Term object_address(Query *q, size_t object, unsigned tag, uint64_t offset)
{
    const Object *o = &q->program->objects[object];
    if (!o->local) return farther(q, global_address(q, o->ref), offset);
    Term term = address_symbol(q, term_format(64, "f%u.v%zu", tag, table_get(&q->program->place_numbers, o->ref)), own_size(o),
                               LLVMGetAlignment(o->ref));
    term.object = object + 1;
    term.tag = tag;
    return farther(q, term, offset);
}

enum { MOST_CELLS_COMPARED = 256 /* of a question; the others only have less known of them.  Guess. */ };

/* What a state's memory has at an address is one byte, however address and byte are written. */
static void compare_cell(Query *q, Cell cell)
{
    for (size_t i = 0; i < q->cell_count; i++) {
        const Cell *c = &q->cells[i];
        if (c->layer != cell.layer || c->size != cell.size || c->index != cell.index) continue;
        if (strcmp(c->symbol, cell.symbol) == 0) return; /* every state of a node names the same bytes */
        if (same_address(q, c->address, cell.address) == 0) continue;
        require(q, term_format(BOOL, "(=> (= %s %s) (= %s %s))", c->address.text, cell.address.text, c->symbol, cell.symbol));
    }
    if (q->cell_count >= MOST_CELLS_COMPARED) return;
    q->cells = grow(q->cells, q->cell_count, sizeof *q->cells);
    q->cells[q->cell_count++] = cell;
}

/* The byte that memory has at an address in the state above `layer - 1` layers, where nothing else is known of it.  Every symbol for a byte of one state stands for
 * the content of that state's memory at its address; so two of them are equal if their addresses are, however these are written.  That is required of the bytes
 * with the same number in words of the same size, which are what programs read again. */
static Term byte_of_state(Query *q, size_t layer, Term address)
{
    Term byte = term_format(8, "|%zu:%s|", layer, address.text);
    bool known = json_object_get(q->declared, byte.text) != NULL;
    symbol(q, byte);
    if (!known) compare_cell(q, (Cell){layer, address, byte.text, q->read_size, q->read_index});
    return byte;
}

/* The byte at an address as it is below layer number `layer`.  Only objects that have escaped can be reached by a pointer that is not followed to them. */
static Term byte_pointed_to(Query *q, size_t layer, Term address)
{
    const Object *object = pointed_to(q, address);
    if (object && object->tracked) return byte_at(q, object->local ? address.tag : 0, layer, address.object - 1, address.offset);
    while (layer-- > 0) {
        Layer l = q->layers[layer];
        const Object *o = l.kind == LAYER_WRITE || l.kind == LAYER_OBJECT ? &q->program->objects[l.object] : NULL;
        if (o && !o->escaped) continue;
        if (l.kind == LAYER_WRITE || l.kind == LAYER_STORE) {
            Term to = o ? object_address(q, l.object, l.tag, l.offset) : l.variable;
            if (o && l.variable.width) to = define(q, sum((Term){.text = to.text, .width = 64}, l.variable));
            return byte_after_store(q, to, l.size, l.value, address, byte_pointed_to(q, layer, address));
        }
        Term any = byte_of_state(q, layer + 1, address);
        if (l.kind == LAYER_ALL && l.guard.width)
            return define(q, term_format(8, "(ite %s %s %s)", l.guard.text, byte_pointed_to(q, layer, address).text, any.text));
        return any;
    }
    return byte_of_state(q, 0, address);
}

static Term memory_pointed_to(Query *q, Term address, uint64_t size)
{
    q->read_size = size;
    q->read_index = 0;
    Term whole = byte_pointed_to(q, q->layer_count, address);
    for (uint64_t i = 1; i < size; i++) {
        q->read_index = i;
        whole = term_format((unsigned)(8 * i + 8), "(concat %s %s)", byte_pointed_to(q, q->layer_count, farther(q, address, i)).text,
                            whole.text);
    }
    return define(q, whole);
}

/* Whether two global variables may be names of the same one: a library has such, and assembly outside of functions can make them. */
static bool may_be_same(const Query *q, size_t a, size_t b)
{
    const Object *one = &q->program->objects[a], *other = &q->program->objects[b];
    if (a == b || one->local || other->local) return false;
    return (one->foreign && other->foreign) || ((one->foreign || other->foreign) && q->program->assembly);
}

/* The byte that a global variable has at the start. */
static Term initial_byte(Query *q, size_t object, uint64_t at)
{
    const Object *o = &q->program->objects[object];
    if (o->known && o->known[at]) return constant(8, o->bytes[at]);
    for (uint64_t i = 0; o->pointers && i < 8 && i <= at; i++) {
        Term address = o->pointers[at - i] ? value_of(q, NULL, o->pointers[at - i]) : (Term){0};
        if (address.width == 64) return byte_of(address, i);
    }
    return unknown_byte(q, 0, 0, object, at);
}

/* The byte as it is below layer number `layer`. */
static Term byte_at(Query *q, unsigned tag, size_t layer, size_t object, uint64_t at)
{
    const Object *o = &q->program->objects[object];
    if (o->constant) return initial_byte(q, object, at);
    while (layer-- > 0) {
        const Layer *l = &q->layers[layer];
        if (l->kind == LAYER_STORE && o->escaped) {
            Layer store = *l;
            return byte_after_store(q, store.variable, store.size, store.value, object_address(q, object, tag, at),
                                    byte_at(q, tag, layer, object, at));
        }
        if (l->kind == LAYER_WRITE && l->object == object && l->tag == tag) return byte_below_write(q, l, tag, layer, object, at);
        if (l->kind == LAYER_WRITE && may_be_same(q, l->object, object)) return unknown_byte(q, tag, layer + 1, object, at);
        if (l->kind == LAYER_OBJECT && may_be_same(q, l->object, object)) return unknown_byte(q, tag, layer + 1, object, at);
        if (l->kind == LAYER_OBJECT && l->object == object && l->tag == tag) return unknown_byte(q, tag, layer + 1, object, at);
        if (l->kind == LAYER_GLOBALS && (!tag || o->escaped)) return unknown_byte(q, tag, layer + 1, object, at);
        if (l->kind == LAYER_EXPOSED && o->exposed) return unknown_byte(q, tag, layer + 1, object, at);
        if (l->kind == LAYER_ESCAPED && o->escaped) return unknown_byte(q, tag, layer + 1, object, at);
        if (l->kind == LAYER_ALL && !l->guard.width) return unknown_byte(q, tag, layer + 1, object, at);
        if (l->kind == LAYER_ALL)
            return define(q, term_format(8, "(ite %s %s %s)", l->guard.text, byte_at(q, tag, layer, object, at).text,
                                         unknown_byte(q, tag, layer + 1, object, at).text));
    }
    return q->initial && !tag ? initial_byte(q, object, at) : unknown_byte(q, tag, 0, object, at);
}

/* A byte of an object as it is now.  What pointers lead to is compared with it, if they may lead to the object. */
static Term byte_now(Query *q, unsigned tag, size_t object, uint64_t offset, uint64_t size, uint64_t i)
{
    Term byte = byte_at(q, tag, q->layer_count, object, offset + i);
    if (!q->program->objects[object].escaped) return byte;
    byte = define(q, byte);
    compare_cell(q, (Cell){q->layer_count, object_address(q, object, tag, offset + i), byte.text, size, i});
    return byte;
}

Term memory_at(Query *q, const Frame *frame, size_t object, uint64_t offset, uint64_t size)
{
    unsigned tag = q->program->objects[object].local ? frame->tag : 0;
    Term whole = byte_now(q, tag, object, offset, size, 0);
    for (uint64_t i = 1; i < size; i++)
        whole = term_format((unsigned)(8 * i + 8), "(concat %s %s)", byte_now(q, tag, object, offset, size, i).text, whole.text);
    return define(q, whole);
}

static Term load(Query *q, Frame *frame, LLVMValueRef instr, unsigned width)
{
    if (width % 8 || LLVMGetVolatile(instr)) return fresh(q, width);
    Address a = address_of(q, frame, LLVMGetOperand(instr, 0));
    if (!a.object || !q->program->objects[a.object - 1].tracked) {
        Term address = value_of(q, frame, LLVMGetOperand(instr, 0)); /* of width 0: in another address space */
        return address.width == 64 ? memory_pointed_to(q, address, width / 8) : fresh(q, width);
    }
    uint64_t size = q->program->objects[a.object - 1].size, n = width / 8;
    if (size < n) return fresh(q, width);
    if (!a.variable.width) return a.offset <= size - n ? memory_at(q, frame, a.object - 1, a.offset, n) : fresh(q, width);
    if (size / n > MOST_CELLS || a.offset >= size) return fresh(q, width);
    Term variable = define(q, a.variable),
         result = fresh(q, width); /* any value where the access is outside of the object or not aligned */
    for (uint64_t at = a.offset % n; at <= size - n; at += n)
        result = define(q, term_format(width, "(ite (= %s (_ bv%llu 64)) %s %s)", variable.text, (unsigned long long)(at - a.offset),
                                       memory_at(q, frame, a.object - 1, at, n).text, result.text));
    return result;
}

static bool relied(const Query *q, LLVMValueRef instr)
{
    return q->relies[table_get(&q->program->place_numbers, instr) - 1];
}

/* A write of `size` bytes.  Where it might leave its object and the certificate does not exclude that, all memory is unknown afterwards. */
static void write_to(Query *q, Frame *frame, LLVMValueRef instr, LLVMValueRef pointer, uint64_t size, Term value)
{
    Address a = address_of(q, frame, pointer);
    const Object *o = a.object ? &q->program->objects[a.object - 1] : NULL;
    bool inside = o && !a.variable.width && size <= o->size && a.offset <= o->size - size;
    Layer layer = {.kind = LAYER_WRITE,
                   .object = a.object - 1,
                   .tag = o && o->local ? frame->tag : 0,
                   .offset = a.offset,
                   .size = size,
                   .value = value};
    if (!inside && !relied(q, instr)) {
        Layer wild = {.kind = LAYER_ALL};
        if (o && size && size <= o->size && a.variable.width)
            wild.guard = term_format(BOOL, "(bvule %s (_ bv%llu 64))", define(q, sum(a.variable, constant(64, a.offset))).text,
                                     (unsigned long long)(o->size - size));
        layer_push(q, wild);
    }
    if (!size) return;
    if (!o || !o->tracked) {
        Layer store = {.kind = size <= 8 ? LAYER_STORE : LAYER_ESCAPED, .size = size, .value = value};
        if (size <= 8) store.variable = value_of(q, frame, pointer);
        if (store.variable.width != 64) store.kind = LAYER_ESCAPED;
        else if (LLVMIsAStoreInst(instr) && relied(q, instr) && LLVMGetAlignment(instr) > 1)
            require(q, multiple_of(store.variable, LLVMGetAlignment(instr)));
        layer_push(q, store);
        return;
    }
    if (inside || (a.variable.width && size <= 8)) {
        layer.variable = define(q, a.variable);
        layer_push(q, layer);
    } else {
        layer_push(q, (Layer){.kind = LAYER_OBJECT, .object = a.object - 1, .tag = layer.tag});
    }
}

/* memset and memcpy of a known number of bytes within objects are done byte by byte; of others the target's content is unknown. */
static void copy_or_set(Query *q, Frame *frame, LLVMValueRef call, bool set)
{
    LLVMValueRef length = LLVMGetOperand(call, 2);
    Address to = address_of(q, frame, LLVMGetOperand(call, 0)), from = {0};
    uint64_t n = LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : UINT64_MAX;
    const Object *o = to.object ? &q->program->objects[to.object - 1] : NULL, *source = NULL;
    if (!set) {
        from = address_of(q, frame, LLVMGetOperand(call, 1));
        bool stable = LLVMIsNull(LLVMGetOperand(call, 3)); /* not volatile */
        source = stable && from.object && !from.variable.width ? &q->program->objects[from.object - 1] : NULL;
        if (source && (!source->tracked || n > source->size || from.offset > source->size - n)) source = NULL;
    }
    if (!o || !o->tracked || to.variable.width || n > 4 * MOST_CELLS || n > o->size || to.offset > o->size - n) {
        write_to(q, frame, call, LLVMGetOperand(call, 0), UINT64_MAX, (Term){0});
        return;
    }
    if (n == 0) return;
    Term value = set ? value_of(q, frame, LLVMGetOperand(call, 1)) : (Term){0};
    Term *bytes = get(n * sizeof *bytes);
    for (uint64_t i = 0; i < n; i++) bytes[i] = source ? memory_at(q, frame, from.object - 1, from.offset + i, 1) : value;
    for (uint64_t i = 0; i < n; i++)
        layer_push(q, (Layer){.kind = LAYER_WRITE,
                              .object = to.object - 1,
                              .tag = o->local ? frame->tag : 0,
                              .offset = to.offset + i,
                              .size = 1,
                              .value = bytes[i]});
    free(bytes);
}

/* ---- instructions ---- */

/* Signed or unsigned overflow of an addition, subtraction or multiplication is excluded: the result in more bits is the same. */
static void exclude_overflow(Query *q, const char *op, Term a, Term b, Term r, bool sign)
{
    unsigned more = strcmp(op, "bvmul") == 0 ? a.width : 1;
    const char *extend = sign ? "sign_extend" : "zero_extend";
    require(q, term_format(BOOL, "(= ((_ %s %u) %s) (%s ((_ %s %u) %s) ((_ %s %u) %s)))", extend, more, r.text, op, extend, more, a.text,
                           extend, more, b.text));
}

static Term arithmetic(Query *q, LLVMValueRef instr, LLVMOpcode opcode, Term a, Term b)
{
    static const LLVMOpcode opcodes[] = {LLVMAdd, LLVMSub,  LLVMMul,  LLVMUDiv, LLVMURem, LLVMSDiv, LLVMSRem,
                                         LLVMShl, LLVMLShr, LLVMAShr, LLVMAnd,  LLVMOr,   LLVMXor};
    static const char *const names[] = {"bvadd", "bvsub",  "bvmul",  "bvudiv", "bvurem", "bvsdiv", "bvsrem",
                                        "bvshl", "bvlshr", "bvashr", "bvand",  "bvor",   "bvxor"};
    enum { WRAP = 3, DIVIDE = 7, SHIFT = 10 }; /* so many come before what follows additions, divisions, shifts */
    unsigned i = 0;
    while (i < sizeof names / sizeof *names && opcodes[i] != opcode) i++;
    if (i == sizeof names / sizeof *names || (i >= DIVIDE && i < SHIFT && a.width == 1)) return fresh(q, a.width);
    Term r = term_format(a.width, "(%s %s %s)", names[i], a.text, b.text);
    if (i >= DIVIDE && i < SHIFT) /* too far: any value */
        r = term_format(a.width, "(ite (bvult %s %s) %s %s)", b.text, constant(a.width, a.width).text, r.text, fresh(q, a.width).text);
    r = define(q, r);
    if (!relied(q, instr)) return r;
    if (i < WRAP && LLVMGetNSW(instr)) exclude_overflow(q, names[i], a, b, r, true);
    if (i < WRAP && LLVMGetNUW(instr)) exclude_overflow(q, names[i], a, b, r, false);
    if (i >= WRAP && i < DIVIDE) exclude(q, term_format(BOOL, "(= %s %s)", b.text, constant(b.width, 0).text));
    return r;
}

static Term comparison(Query *q, Frame *frame, LLVMValueRef instr)
{
    static const char *const names[] = {"=", "distinct", "bvugt", "bvuge", "bvult", "bvule", "bvsgt", "bvsge", "bvslt", "bvsle"};
    Term a = value_of(q, frame, LLVMGetOperand(instr, 0)), b = value_of(q, frame, LLVMGetOperand(instr, 1));
    unsigned predicate = (unsigned)LLVMGetICmpPredicate(instr) - LLVMIntEQ;
    if (!a.width || a.width != b.width || predicate >= sizeof names / sizeof *names)
        return fresh(q, type_width(q->program, LLVMTypeOf(instr)));
    return define(q, bit(term_format(BOOL, "(%s %s %s)", names[predicate], a.text, b.text)));
}

static Term conversion(Query *q, Frame *frame, LLVMValueRef instr, unsigned width, bool sign)
{
    Term a = value_of(q, frame, LLVMGetOperand(instr, 0));
    return a.width ? define(q, resized(a, width, sign)) : fresh(q, width);
}

static Term choice(Query *q, Frame *frame, LLVMValueRef instr, unsigned width)
{
    Term c = value_of(q, frame, LLVMGetOperand(instr, 0)), a = value_of(q, frame, LLVMGetOperand(instr, 1)),
         b = value_of(q, frame, LLVMGetOperand(instr, 2));
    if (c.width != 1 || a.width != width || b.width != width) return fresh(q, width);
    return define(q, term_format(width, "(ite (= %s #b1) %s %s)", c.text, a.text, b.text));
}

static Term call(Query *q, Frame *frame, LLVMValueRef instr, unsigned width)
{
    switch (call_kind(instr)) {
    case CALL_UNKNOWN: /* assembly can name internal globals */
        layer_push(q, (Layer){.kind = LLVMIsAInlineAsm(LLVMGetCalledValue(instr)) ? LAYER_GLOBALS : LAYER_EXPOSED});
        break;
    case CALL_QUIET:
        if (!leaves_memory(q->program, instr)) layer_push(q, (Layer){.kind = LAYER_ESCAPED});
        break;
    case CALL_COPY: copy_or_set(q, frame, instr, false); break;
    case CALL_SET: copy_or_set(q, frame, instr, true); break;
    case CALL_SAME: return conversion(q, frame, instr, width, false);
    case CALL_ASSUME:
        if (LLVMGetNumArgOperands(instr) == 1) {
            Term a = value_of(q, frame, LLVMGetOperand(instr, 0));
            if (a.width) require(q, term_format(BOOL, "(not (= %s %s))", a.text, constant(a.width, 0).text));
        }
        break;
    default: break;
    }
    return fresh(q, width);
}

static Term result_of(Query *q, Frame *frame, LLVMValueRef instr, LLVMOpcode opcode, unsigned width)
{
    switch (opcode) {
    case LLVMICmp: return comparison(q, frame, instr);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMFreeze: return conversion(q, frame, instr, width, false);
    case LLVMBitCast:
        return type_width(q->program, LLVMTypeOf(LLVMGetOperand(instr, 0))) == width ? conversion(q, frame, instr, width, false)
                                                                                     : fresh(q, width);
    case LLVMSExt: return conversion(q, frame, instr, width, true);
    case LLVMSelect: return choice(q, frame, instr, width);
    case LLVMLoad: return load(q, frame, instr, width);
    case LLVMGetElementPtr: return computed_address(q, frame, instr);
    default: break;
    }
    if (LLVMIsABinaryOperator(instr)) {
        Term a = value_of(q, frame, LLVMGetOperand(instr, 0)), b = value_of(q, frame, LLVMGetOperand(instr, 1));
        if (a.width == width && b.width == width) return arithmetic(q, instr, opcode, a, b);
    }
    return fresh(q, width);
}

void step_over(Query *q, Frame *frame, LLVMValueRef instr)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instr);
    unsigned width = type_width(q->program, LLVMTypeOf(instr));
    if (opcode == LLVMStore) {
        LLVMValueRef stored = LLVMGetOperand(instr, 0);
        Term value = value_of(q, frame, stored);
        if (value.width % 8) value.width = 0; /* how such a number is stored is not specified */
        write_to(q, frame, instr, LLVMGetOperand(instr, 1), LLVMStoreSizeOfType(q->program->layout, LLVMTypeOf(stored)), value);
        return;
    }
    if (opcode == LLVMAlloca) {
        size_t object = table_get(&q->program->object_numbers, instr) - 1;
        layer_push(q, (Layer){.kind = LAYER_OBJECT, .object = object, .tag = frame->tag});
        if (q->program->objects[object].tracked) return; /* executed once: its address is the register's symbol */
        frame_set(frame, instr, address_symbol(q, term_format(64, "any%zu", q->fresh++), 0, 1));
        return;
    }
    if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg || opcode == LLVMVAArg) layer_push(q, (Layer){.kind = LAYER_ESCAPED});
    Term term = opcode == LLVMCall ? call(q, frame, instr, width) : width ? result_of(q, frame, instr, opcode, width) : (Term){0};
    if (width) frame_set(frame, instr, term);
}

Term outcome_of(Query *q, Frame *frame, LLVMValueRef instr, unsigned outcome)
{
    Term yes = term_format(BOOL, "true");
    bool is_switch = LLVMIsASwitchInst(instr), conditional = LLVMIsABranchInst(instr) && LLVMIsConditional(instr);
    if (!is_switch && !conditional && !LLVMIsASelectInst(instr)) return yes;
    Term c = value_of(q, frame, conditional ? LLVMGetCondition(instr) : LLVMGetOperand(instr, 0));
    if (!c.width) return yes;
    if (!is_switch) return term_format(BOOL, "(= %s #b%u)", c.text, outcome == 0);
    unsigned cases = LLVMGetNumSuccessors(instr) - 1;
    if (outcome < cases) return term_format(BOOL, "(= %s %s)", c.text, value_of(q, frame, LLVMGetOperand(instr, 2 + 2 * outcome)).text);
    for (unsigned i = 0; i < cases; i++)
        require(q, term_format(BOOL, "(not (= %s %s))", c.text, value_of(q, frame, LLVMGetOperand(instr, 2 + 2 * i)).text));
    return yes;
}

/* ---- predicates ---- */

static Term parse(Query *q, Frame *frame, json_t *json, unsigned depth);

static uint64_t number_at(json_t *json, size_t i, uint64_t most)
{
    json_t *n = json_array_get(json, i);
    if (!json_is_integer(n) || json_integer_value(n) < 0 || (uint64_t)json_integer_value(n) > most)
        reject("a predicate has a number that is out of range");
    return (uint64_t)json_integer_value(n);
}

static LLVMValueRef instr_at(const Frame *frame, json_t *json, size_t i)
{
    uint64_t block = number_at(json, i, UINT32_MAX), instr = number_at(json, i + 1, UINT32_MAX);
    if (block >= frame->fn->block_count || instr >= frame->fn->blocks[block].count)
        reject("a predicate names an instruction that %s does not have", frame->fn->name);
    return frame->fn->blocks[block].instrs[instr];
}

static Term cell(Query *q, Frame *frame, json_t *json, LLVMValueRef object, size_t i)
{
    size_t number = object ? table_get(&q->program->object_numbers, object) : 0;
    if (!number || !q->program->objects[number - 1].tracked) reject("a predicate names a memory cell of an object that is not tracked");
    uint64_t size = q->program->objects[number - 1].size, offset = number_at(json, i, size), n = number_at(json, i + 1, 8);
    if (n == 0 || n > size || offset > size - n) reject("a predicate names a memory cell outside of its object");
    return memory_at(q, frame, number - 1, offset, n);
}

static Term literal(json_t *json)
{
    unsigned width = (unsigned)number_at(json, 1, WIDEST_TERM);
    const char *text = json_string_value(json_array_get(json, 2));
    size_t digits = text ? strspn(text, "0123456789") : 0;
    unsigned __int128 value = 0;
    if (!width || !text || text[digits] || digits == 0 || digits > 38)
        reject("a predicate has a constant that is no number of 1 to %d bits", WIDEST_TERM);
    for (size_t i = 0; i < digits; i++) value = value * 10 + (unsigned)(text[i] - '0');
    if (width < WIDEST_TERM && value >> width) reject("a predicate has a constant that does not fit its %u bits", width);
    while (text[0] == '0' && text[1]) text++;
    return term_format(width, "(_ bv%s %u)", text, width);
}

static Term named_address(Query *q, const char *name)
{
    LLVMValueRef value = name ? LLVMGetNamedGlobal(q->program->module, name) : NULL;
    if (name && !value) value = LLVMGetNamedFunction(q->program->module, name);
    bool known = value && (table_get(&q->program->object_numbers, value) || table_get(&q->program->fn_numbers, value));
    if (!known || LLVMGetLinkage(value) == LLVMExternalWeakLinkage)
        reject("a predicate has the address of something that the program does not have");
    return global_address(q, value);
}

/* What belongs to one activation: a register, a parameter, a local variable, the result. */
static Term own_term(Query *q, Frame *frame, json_t *json, const char *op)
{
    Term term = {0};
    if (strcmp(op, "param") == 0) {
        unsigned i = (unsigned)number_at(json, 1, UINT32_MAX);
        if (i < LLVMCountParams(frame->fn->ref)) term = register_of(q, frame, LLVMGetParam(frame->fn->ref, i));
    } else if (strcmp(op, "result") == 0 && frame->at_exit) {
        term = frame->result;
    } else if (strcmp(op, "value") == 0 && !frame->at_exit) {
        term = register_of(q, frame, instr_at(frame, json, 1));
    } else if (strcmp(op, "local") == 0 && !frame->at_exit) {
        LLVMValueRef variable = instr_at(frame, json, 1);
        term = cell(q, frame, json, LLVMIsAAllocaInst(variable) ? variable : NULL, 3);
    }
    if (!term.width) reject("a predicate has '%s' where that is unknown, no number or not allowed", op);
    return term;
}

static Term atom(Query *q, Frame *frame, json_t *json, const char *op, unsigned depth)
{
    if (strcmp(op, "const") == 0) return literal(json);
    if (strcmp(op, "address") == 0) return named_address(q, json_string_value(json_array_get(json, 1)));
    if (strcmp(op, "global") == 0) {
        const char *name = json_string_value(json_array_get(json, 1));
        return cell(q, frame, json, name ? LLVMGetNamedGlobal(q->program->module, name) : NULL, 2);
    }
    if (strcmp(op, "memory") == 0) { /* ["memory", T, O, N]: N bytes from O bytes after address T on */
        Term address = parse(q, frame, json_array_get(json, 1), depth + 1);
        uint64_t n = number_at(json, 3, 8);
        if (address.width != 64 || n == 0) reject("a predicate has memory at something that is no address, or no bytes of it");
        return memory_pointed_to(q, farther(q, address, number_at(json, 2, INT64_MAX)), n);
    }
    if (strcmp(op, "frame") != 0) return own_term(q, frame, json, op);
    uint64_t caller = number_at(json, 1, UINT32_MAX);
    json_t *inner = json_array_get(json, 2);
    const char *inner_op = json_string_value(json_array_get(inner, 0));
    if (caller == 0 || caller > q->callers) reject("a predicate has a frame that is not among the calls of its node");
    if (!inner_op) reject("a predicate has a frame without a term");
    return own_term(q, frame + caller, inner, inner_op);
}

/* What a predicate is made of besides atoms.  An operator has some numbers after its name, then its parts; bit i of `logical` says that part i is a
 * condition. */
typedef enum Result { RESULT_BOOL, RESULT_BIT, RESULT_SAME, RESULT_SUM, RESULT_GIVEN, RESULT_RANGE } Result;
typedef struct Operator {
    const char *names;
    unsigned numbers, parts, logical; /* parts: 0 for any number of conditions from 1 on */
    Result result;
} Operator;
static const Operator operators[] = {
    {" not ", 0, 1, 1, RESULT_BOOL},
    {" and or ", 0, 0, ~0u, RESULT_BOOL},
    {" = bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge ", 0, 2, 0, RESULT_BOOL},
    {" bvadd bvsub bvmul bvand bvor bvxor bvudiv bvurem bvsdiv bvsrem bvshl bvlshr bvashr ", 0, 2, 0, RESULT_SAME},
    {" ite ", 0, 3, 1, RESULT_SAME},
    {" bool ", 0, 1, 1, RESULT_BIT},
    {" concat ", 0, 2, 0, RESULT_SUM},
    {" zext sext trunc ", 1, 1, 0, RESULT_GIVEN},
    {" extract ", 2, 1, 0, RESULT_RANGE},
};

/* The operator applied to parts, as text; `last` is the last number among them, `sum` the bits of all. */
static Term combined(Query *q, json_t *json, const Operator *op, const char *parts, Term last, unsigned sum)
{
    const char *name = json_string_value(json_array_get(json, 0));
    unsigned high = op->numbers ? (unsigned)number_at(json, 1, WIDEST_TERM) : 0;
    unsigned low = op->numbers > 1 ? (unsigned)number_at(json, 2, WIDEST_TERM) : 0;
    bool fits = true;
    if (op->result == RESULT_SUM) fits = sum <= WIDEST_TERM;
    if (op->result == RESULT_RANGE) fits = low <= high && high < last.width;
    if (op->result == RESULT_GIVEN) fits = high && (name[0] == 't') == (high < last.width);
    if (!fits) reject("a predicate has '%s' with a wrong width", name);
    switch (op->result) {
    case RESULT_BOOL: return term_format(BOOL, "(%s%s)", name, parts);
    case RESULT_BIT: return define(q, term_format(1, "(ite%s #b1 #b0)", parts));
    case RESULT_GIVEN: return define(q, resized(last, high, name[0] == 's'));
    case RESULT_RANGE: return define(q, term_format(high - low + 1, "((_ extract %u %u)%s)", high, low, parts));
    default: return define(q, term_format(op->result == RESULT_SUM ? sum : last.width, "(%s%s)", name, parts));
    }
}

static Term operation(Query *q, Frame *frame, json_t *json, const Operator *op, unsigned depth)
{
    size_t before = 1 + op->numbers, n = json_array_size(json);
    if (n <= before || (op->parts && n - before != op->parts)) reject("a predicate has an operator with a wrong number of parts");
    Text text = {0};
    Term last = {0};
    unsigned sum = 0;
    for (size_t i = 0; i < n - before; i++) {
        Term part = parse(q, frame, json_array_get(json, before + i), depth + 1);
        bool logical = op->logical >> (i < 31 ? i : 31) & 1;
        if ((part.width == BOOL) != logical) reject("a predicate has a number in place of a condition, or the reverse");
        if (!logical && last.width && last.width != part.width && op->result != RESULT_SUM)
            reject("a predicate joins numbers of different widths");
        add(&text, " %s", part.text);
        if (!logical) last = part, sum += part.width;
    }
    Term term = combined(q, json, op, text.data, last, sum);
    free(text.data);
    return term;
}

/* The shared term in the state at hand, evaluated once for it.  A shared term may use only those before it. */
static Term shared_term(Query *q, Frame *frame, json_t *json)
{
    if (!q->shared_bound) reject("a predicate uses a shared term that does not exist or does not come before it");
    size_t number = number_at(json, 1, q->shared_bound - 1), bound = q->shared_bound;
    Shared *shared = &q->shared[number];
    if (shared->state == q->state) return shared->term;
    if (++q->nesting > DEEPEST_SHARED) reject("shared terms are nested more than %d deep", DEEPEST_SHARED);
    q->shared_bound = number;
    shared->term = parse(q, frame, json_array_get(q->shared_list, number), 0);
    if (shared->term.width == BOOL) reject("a shared term is no number");
    shared->state = q->state;
    q->shared_bound = bound;
    q->nesting--;
    return shared->term;
}

static Term parse(Query *q, Frame *frame, json_t *json, unsigned depth)
{
    if (depth > DEEPEST_PREDICATE) reject("a predicate is nested more than %d deep", DEEPEST_PREDICATE);
    if (json_is_boolean(json)) return term_format(BOOL, json_is_true(json) ? "true" : "false");
    const char *name = json_string_value(json_array_get(json, 0));
    if (!name) reject("a predicate has something that is no list with a name in front");
    if (strcmp(name, "shared") == 0) return shared_term(q, frame, json);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (is_listed(name, operators[i].names)) return operation(q, frame, json, &operators[i], depth);
    return atom(q, frame, json, name, depth);
}

Term predicate(Query *q, Frame *frame, json_t *json, unsigned callers)
{
    q->callers = callers;
    q->shared_bound = json_array_size(q->shared_list);
    q->nesting = 0;
    Term term = parse(q, frame, json, 0);
    if (term.width != BOOL) reject("a predicate is neither true nor false");
    return term;
}
