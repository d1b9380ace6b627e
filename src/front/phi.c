/* Phis become copies on the edges.  An edge from a block that ends in a plain jump takes them before the jump; any other edge is split.
 * The copies of one edge happen at once: they are ordered so that no source is overwritten before it is read, and a cycle is broken
 * through a temporary.
 *
 * An edge from a computed goto cannot be split, since the label's number is already fixed.  The phis of its targets are therefore copied
 * in two steps: every predecessor writes a shadow of the phi before its terminator, and the block itself copies the shadows at its
 * start.  A shadow lives only across the edge, so writing it for a target that is not taken does no harm. */
#include "front/front_int.h"

typedef struct Copy {
    uint32_t to;
    Operand from;
    uint32_t width;
} Copy;
typedef Vec(Copy) Copies;

static bool is_read(const Copies *copies, uint32_t reg, uint32_t except)
{
    for (uint32_t i = 0; i < copies->len; i++)
        if (i != except && copies->data[i].from == reg) return true;
    return false;
}

static void copy_in_parallel(Lower *l, Copies *copies)
{
    for (uint32_t i = 0; i < copies->len;)
        if (copies->data[i].from == copies->data[i].to) {
            copies->data[i] = vec_pop(copies);
        } else {
            i++;
        }
    while (copies->len) {
        bool progress = false;
        for (uint32_t i = 0; i < copies->len;) {
            Copy copy = copies->data[i];
            if (is_read(copies, copy.to, i)) {
                i++;
                continue;
            }
            front__move(l, copy.to, copy.width, copy.from);
            memmove(&copies->data[i], &copies->data[i + 1], (copies->len - i - 1) * sizeof copy);
            copies->len--;
            progress = true;
        }
        if (progress) continue;
        Copy *first = &vec_at(copies, 0);
        uint32_t saved = front__new_register(l, first->width), lost = first->to;
        front__move(l, saved, first->width, lost);
        for (uint32_t i = 0; i < copies->len; i++)
            if (copies->data[i].from == lost) copies->data[i].from = saved;
    }
}

/* The phis of a block mostly list its predecessors in the same order: `hint` is where the first one has this one. */
static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from, unsigned hint)
{
    if (hint < LLVMCountIncoming(phi) && LLVMGetIncomingBlock(phi, hint) == from) return LLVMGetIncomingValue(phi, hint);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == from) return LLVMGetIncomingValue(phi, i);
    return NULL;
}

/* An edge whose phis are to be copied: from the hint-th predecessor of the block's first phi.
 * `shadows`: first register of the shadow of each phi in order, or NULL to copy to the phis themselves. */
typedef struct Edge {
    LLVMBasicBlockRef block, from;
    unsigned hint;
    const uint32_t *shadows;
} Edge;

static void gather(Lower *l, const Edge *edge, Copies *copies)
{
    uint32_t number = 0;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(edge->block); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi), number++) {
        LLVMValueRef value = incoming(phi, edge->from, edge->hint);
        const Shape *shape = front__shape(l->t, LLVMTypeOf(phi));
        if (!value) continue;
        uint32_t first = edge->shadows ? edge->shadows[number] : front__register_of(l, phi);
        for (uint32_t i = 0; i < shape->count; i++)
            vec_push(copies, ((Copy){first + shape->leaves[i].reg, front__operand(l, value, i), shape->leaves[i].type.width}));
    }
}

static void copy_before_terminator(Lower *l, uint32_t draft, const Edge *edge)
{
    Copies copies = {0};
    Instr last = vec_pop(&vec_at(&l->blocks, draft));
    l->current = draft;
    l->loc = last.loc;
    gather(l, edge, &copies);
    copy_in_parallel(l, &copies);
    vec_push(&vec_at(&l->blocks, l->current), last);
    vec_at(&l->exits, front__block_index(l->t, edge->from)) = l->current; /* another one if a copied constant made a TRAP */
    vec_release(&copies);
}

static void redirect(Lower *l, uint32_t branch, uint32_t *target, uint32_t from, uint32_t to)
{
    if (*target != from) return;
    *target = to;
    vec_at(&l->t->branches, branch).target = to;
}

static void copy_on_new_edge(Lower *l, uint32_t draft, const Edge *edge)
{
    uint32_t to = front__block_index(l->t, edge->block), between = front__new_block(l);
    Instr last = vec_top(&vec_at(&l->blocks, draft));
    if (last.op == OP_BRANCH) {
        CondBranch *branch = &vec_at(&l->branches, last.imm);
        redirect(l, branch->branch, &branch->yes, to, between);
        redirect(l, branch->branch + 1, &branch->no, to, between);
    } else {
        assert(last.op == OP_SWITCH);
        Switch *sw = &vec_at(&l->switches, last.imm);
        for (uint32_t i = 0; i < sw->case_count; i++) redirect(l, sw->branch + i, &sw->cases[i].block, to, between);
        redirect(l, sw->branch + sw->case_count, &sw->default_block, to, between);
    }
    Copies copies = {0};
    l->current = between;
    l->loc = last.loc;
    gather(l, edge, &copies);
    copy_in_parallel(l, &copies);
    front__emit(l, OP_JUMP, 0)->imm = to;
    vec_release(&copies);
}

static bool from_computed_goto(LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i))) == LLVMIndirectBr) return true;
    return false;
}

/* Copies from the shadows to the phis at the start of the block; a block without predecessors leaves its phis undefined. */
static void copy_shadows(Lower *l, LLVMBasicBlockRef block, const uint32_t *shadows)
{
    uint32_t scratch = front__new_block(l), number = 0, to = front__block_index(l->t, block);
    l->current = scratch;
    l->loc = 0;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi), number++) {
        const Shape *shape = front__shape(l->t, LLVMTypeOf(phi));
        uint32_t first = front__register_of(l, phi);
        if (!shadows) front__undefine(l, first, shape);
        for (uint32_t i = 0; shadows && i < shape->count; i++)
            front__move(l, first + shape->leaves[i].reg, shape->leaves[i].type.width, shadows[number] + shape->leaves[i].reg);
    }
    Draft *head = &vec_at(&l->blocks, to), *added = &vec_at(&l->blocks, scratch);
    vec_reserve(head, head->len + added->len);
    memmove(head->data + added->len, head->data, head->len * sizeof *head->data);
    if (added->len) memcpy(head->data, added->data, added->len * sizeof *added->data);
    head->len += added->len;
    l->block_total--;
}

static void lower_block_phis(Lower *l, LLVMBasicBlockRef block)
{
    LLVMValueRef phi = LLVMGetFirstInstruction(block);
    Vec(uint32_t) shadows = {0};
    Map done = {0}; /* a switch may lead to the same block several times */
    bool shadowed = from_computed_goto(phi);
    for (LLVMValueRef p = phi; shadowed && LLVMIsAPHINode(p); p = LLVMGetNextInstruction(p))
        vec_push(&shadows, front__new_registers(l, front__shape(l->t, LLVMTypeOf(p))->registers));
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        Edge edge = {.block = block, .from = LLVMGetIncomingBlock(phi, i), .hint = i, .shadows = shadows.data};
        if (map_find(&done, (uintptr_t)edge.from)) continue;
        map_put(&done, (uintptr_t)edge.from, 1);
        uint32_t draft = vec_at(&l->exits, front__block_index(l->t, edge.from));
        Opcode last = vec_top(&vec_at(&l->blocks, draft)).op;
        if (shadowed || (last != OP_BRANCH && last != OP_SWITCH)) {
            copy_before_terminator(l, draft, &edge);
        } else {
            copy_on_new_edge(l, draft, &edge);
        }
    }
    if (shadowed || !LLVMCountIncoming(phi)) copy_shadows(l, block, shadows.data);
    vec_release(&shadows);
    map_release(&done);
}

void front__lower_phis(Lower *l)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(l->function); block; block = LLVMGetNextBasicBlock(block))
        if (LLVMIsAPHINode(LLVMGetFirstInstruction(block))) lower_block_phis(l, block);
}
