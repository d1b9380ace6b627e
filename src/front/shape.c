/* Shapes: how a first-class LLVM type is taken apart into scalars, in registers and in memory.  Computed once for every type. */
#include "front/front_int.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_LEAVES = 1 << 16, WIDEST_INTEGER = 4096 };

typedef struct Shaping {
    Translator *t;
    Shape *shape;
    Vec(Leaf) leaves;
} Shaping;

uint64_t front__type_size(Translator *t, LLVMTypeRef type)
{
    return LLVMTypeIsSized(type) ? LLVMABISizeOfType(t->layout, type) : 0;
}

uint32_t front__type_align(Translator *t, LLVMTypeRef type)
{
    return LLVMTypeIsSized(type) ? LLVMABIAlignmentOfType(t->layout, type) : 1;
}

Scalar front__scalar(ScalarKind kind, uint32_t width)
{
    return (Scalar){.kind = kind, .width = (uint16_t)width};
}

static void problem(Shaping *s, const char *format, unsigned number)
{
    char text[96];
    if (s->shape->problem) return;
    snprintf(text, sizeof text, format, number);
    s->shape->problem = arena_strdup(&s->t->program->arena, text);
}

static void add_leaf(Shaping *s, ScalarKind kind, uint32_t width, bool exotic, uint64_t offset)
{
    if (s->leaves.len >= MOST_LEAVES) {
        problem(s, "a value of more than %u parts", MOST_LEAVES);
        return;
    }
    Leaf leaf = {.type = front__scalar(kind, width), .exotic = exotic, .reg = s->shape->registers, .offset = offset};
    s->shape->registers += scalar_registers(leaf.type);
    s->shape->exotic |= exotic;
    vec_push(&s->leaves, leaf);
}

static void add_integer(Shaping *s, unsigned width, uint64_t offset)
{
    if (width > WIDEST_INTEGER) problem(s, "an integer of %u bits", width);
    if (width <= 128 || width > WIDEST_INTEGER) {
        add_leaf(s, SCALAR_INT, width > 128 ? 64 : width, false, offset);
        return;
    }
    for (unsigned bit = 0; bit < width; bit += 64) add_leaf(s, SCALAR_INT, width - bit < 64 ? width - bit : 64, false, offset + bit / 8);
}

static void add_type(Shaping *s, LLVMTypeRef type, uint64_t offset);

static void add_vector(Shaping *s, LLVMTypeRef type, uint64_t offset)
{
    unsigned n = LLVMGetVectorSize(type);
    LLVMTypeRef element = LLVMGetElementType(type);
    uint32_t first = s->leaves.len;
    if (LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) > 128)
        problem(s, "a vector of integers of %u bits", LLVMGetIntTypeWidth(element));
    for (unsigned i = 0; i < n && !s->shape->problem; i++) {
        uint32_t at = s->leaves.len;
        add_type(s, element, 0);
        if (s->leaves.len == at) return;
        uint64_t bits = (uint64_t)i * s->leaves.data[at].type.width;
        s->leaves.data[at].offset = offset + bits / 8;
        if (s->leaves.data[at].type.width % 8) s->shape->packed = true;
    }
    if (first < s->leaves.len) s->leaves.data[first].type.lanes = (uint16_t)n;
}

static void add_aggregate(Shaping *s, LLVMTypeRef type, uint64_t offset)
{
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t n = LLVMGetArrayLength2(type), size = front__type_size(s->t, element);
        for (uint64_t i = 0; i < n && !s->shape->problem; i++) add_type(s, element, offset + i * size);
        return;
    }
    if (!LLVMTypeIsSized(type)) {
        problem(s, "a value of an incomplete type", 0);
        return;
    }
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && !s->shape->problem; i++)
        add_type(s, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(s->t->layout, type, i));
}

static void add_type(Shaping *s, LLVMTypeRef type, uint64_t offset)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMTokenTypeKind:
    case LLVMFunctionTypeKind: break;
    case LLVMIntegerTypeKind: add_integer(s, LLVMGetIntTypeWidth(type), offset); break;
    case LLVMPointerTypeKind: add_leaf(s, SCALAR_POINTER, 64, false, offset); break;
    case LLVMFloatTypeKind: add_leaf(s, SCALAR_FLOAT, 32, false, offset); break;
    case LLVMDoubleTypeKind: add_leaf(s, SCALAR_FLOAT, 64, false, offset); break;
    case LLVMX86_FP80TypeKind: add_leaf(s, SCALAR_FLOAT, 80, false, offset); break;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind: add_leaf(s, SCALAR_FLOAT, 16, true, offset); break;
    case LLVMFP128TypeKind: add_leaf(s, SCALAR_FLOAT, 128, true, offset); break;
    case LLVMVectorTypeKind: add_vector(s, type, offset); break;
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind: add_aggregate(s, type, offset); break;
    default:
        problem(s, "a value of a type special to another machine (kind %u)", LLVMGetTypeKind(type));
        add_leaf(s, SCALAR_INT, 64, false, offset);
    }
}

/* A packed vector inside a struct or array would need bit offsets in the middle of a value; clang never makes one. */
static bool holds_packed_vector(LLVMTypeRef type, const Shape *shape)
{
    return shape->packed && LLVMGetTypeKind(type) != LLVMVectorTypeKind;
}

const Shape *front__shape(Translator *t, LLVMTypeRef type)
{
    uint64_t *known = map_find(&t->shapes, (uintptr_t)type);
    if (known) return (const Shape *)(uintptr_t)*known;
    Shaping s = {.t = t, .shape = arena_alloc(&t->program->arena, sizeof(Shape))};
    add_type(&s, type, 0);
    s.shape->is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 128) s.shape->wide = LLVMGetIntTypeWidth(type);
    if (holds_packed_vector(type, s.shape)) problem(&s, "a bit vector inside a struct", 0);
    s.shape->count = s.leaves.len;
    s.shape->leaves = front__keep(t, s.leaves.data, s.leaves.len * sizeof *s.leaves.data);
    vec_release(&s.leaves);
    map_put(&t->shapes, (uintptr_t)type, (uintptr_t)s.shape);
    return s.shape;
}
