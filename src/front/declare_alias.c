/* What a variable may stand for, whatever the order of statements: the pointers it is derived from by copies and arithmetic, the pointers
 * whose elements it holds, and the parameters a number is computed from.  Assignments are repeated until nothing changes; functions of the
 * same source that return one of their arguments, moved or not, are seen through.
 *
 * Being wrong in either direction costs a worse guess at what a parameter is, never a wrong result, so plain sets per variable will do. */
#include "front/declare_int.h"

const char *declare__library_callee(const Declarer *d, const Node *callee)
{
    if (callee->kind != NODE_FUNCTION) return NULL;
    return callee->number == UINT32_MAX || !d->facts.data[callee->number].analysed ? callee->library : NULL;
}

/* Does the call return its argument of this number, moved or not? */
static bool returns_argument(const Declarer *d, const Node *call, uint32_t argument)
{
    const char *name = declare__library_callee(d, call->kids[0]);
    if (name) return declare__library(d, name, argument).flags & LIBRARY_RETURN;
    const Node *callee = call->kids[0];
    if (callee->kind != NODE_FUNCTION || callee->number == UINT32_MAX || argument >= ROOT_MOST) return false;
    return d->facts.data[callee->number].returns >> argument & 1;
}

RootSet declare__roots(const Declarer *d, const Body *body, const Node *node)
{
    RootSet roots = 0;
    switch (node->kind) {
    case NODE_MEMBER: return node->number == UINT32_MAX ? 0 : body->variables.data[node->number].roots;
    case NODE_VARIABLE: return node->is_array ? 0 : body->variables.data[node->number].roots;
    case NODE_CAST:
    case NODE_STEP: return declare__roots(d, body, node->kids[0]);
    case NODE_BINARY:
        if (node->op == CXBinaryOperator_Comma) return declare__roots(d, body, node->kids[1]);
        if (node->op != CXBinaryOperator_Add && node->op != CXBinaryOperator_Sub) return 0;
        roots = declare__roots(d, body, node->kids[0]);
        if (node->op == CXBinaryOperator_Sub) return declare__roots(d, body, node->kids[1]) ? 0 : roots;
        return roots | declare__roots(d, body, node->kids[1]);
    case NODE_ASSIGN: return declare__roots(d, body, node->kids[1]);
    case NODE_UPDATE: return declare__roots(d, body, node->kids[0]);
    case NODE_CHOICE: return declare__roots(d, body, node->kids[1]) | declare__roots(d, body, node->kids[2]);
    case NODE_ADDRESS: {
        const Node *object = node->kids[0];
        bool element = object->kind == NODE_SUBSCRIPT || object->kind == NODE_DEREFERENCE;
        return element && !object->kids[0]->is_array ? declare__roots(d, body, object->kids[0]) : 0;
    }
    case NODE_CALL:
        for (uint32_t i = 1; i < node->count; i++)
            if (returns_argument(d, node, i - 1)) roots |= declare__roots(d, body, node->kids[i]);
        return roots;
    default: return 0;
    }
}

RootSet declare__copies(const Body *body, const Node *node)
{
    switch (node->kind) {
    case NODE_MEMBER: return node->number == UINT32_MAX ? 0 : body->variables.data[node->number].copies;
    case NODE_VARIABLE: return node->is_array ? 0 : body->variables.data[node->number].copies;
    case NODE_CAST: return declare__copies(body, node->kids[0]);
    case NODE_ASSIGN: return declare__copies(body, node->kids[1]);
    case NODE_CHOICE: return declare__copies(body, node->kids[1]) | declare__copies(body, node->kids[2]);
    default: return 0;
    }
}

RootSet declare__elements(const Declarer *d, const Body *body, const Node *node)
{
    switch (node->kind) {
    case NODE_VARIABLE: return body->variables.data[node->number].elements;
    case NODE_DEREFERENCE:
    case NODE_SUBSCRIPT: return node->is_char ? declare__roots(d, body, node->kids[0]) : 0;
    case NODE_ASSIGN: return declare__elements(d, body, node->kids[1]);
    case NODE_CHOICE: return declare__elements(d, body, node->kids[1]) | declare__elements(d, body, node->kids[2]);
    case NODE_BINARY: return node->op == CXBinaryOperator_Comma ? declare__elements(d, body, node->kids[1]) : 0;
    default: return 0;
    }
}

static bool is_size(const Node *node)
{
    return node->kind == NODE_SIZEOF || (node->kind == NODE_CONSTANT && node->value == 1);
}

static NumberSet numbers_of_binary(const Body *body, const Node *node)
{
    const Node *left = node->kids[0], *right = node->kids[1];
    switch (node->op) {
    case CXBinaryOperator_Comma: return declare__numbers(body, right);
    case CXBinaryOperator_Add: return declare__numbers(body, left) | declare__numbers(body, right);
    case CXBinaryOperator_Mul:
        if (is_size(left)) return declare__numbers(body, right);
        return is_size(right) ? declare__numbers(body, left) : 0;
    case CXBinaryOperator_Sub:
    case CXBinaryOperator_Div:
    case CXBinaryOperator_Shr: return declare__numbers(body, left);
    case CXBinaryOperator_Rem: return declare__numbers(body, right);
    default: return 0;
    }
}

NumberSet declare__numbers(const Body *body, const Node *node)
{
    switch (node->kind) {
    case NODE_MEMBER: return node->number == UINT32_MAX ? 0 : body->variables.data[node->number].numbers;
    case NODE_VARIABLE: return body->variables.data[node->number].numbers;
    case NODE_BINARY: return numbers_of_binary(body, node);
    case NODE_STEP:
    case NODE_UPDATE: return declare__numbers(body, node->kids[0]);
    case NODE_ASSIGN: return declare__numbers(body, node->kids[1]);
    case NODE_CHOICE: return declare__numbers(body, node->kids[1]) | declare__numbers(body, node->kids[2]);
    case NODE_ADDRESS:
        if (node->kids[0]->kind != NODE_SUBSCRIPT) return 0;
        return declare__numbers(body, node->kids[0]->kids[1]);
    default: return 0;
    }
}

/* ---- the assignments of a body ---- */

typedef struct Flow {
    Declarer *d;
    Body *body;
    bool changed;
} Flow;

/* A number times a constant or another number, and what is computed from that, counts something else than the number does. */
static bool is_product(const Body *body, const Node *node)
{
    if (node->kind == NODE_VARIABLE) return body->variables.data[node->number].product;
    if (node->kind != NODE_BINARY) return false;
    if (node->op == CXBinaryOperator_Mul || node->op == CXBinaryOperator_Shl)
        return !is_size(node->kids[0]) && !is_size(node->kids[1]) &&
               (declare__numbers(body, node->kids[0]) | declare__numbers(body, node->kids[1])) != 0;
    return (node->op == CXBinaryOperator_Add || node->op == CXBinaryOperator_Sub) &&
           (is_product(body, node->kids[0]) || is_product(body, node->kids[1]));
}

static void flow_into(Flow *f, uint32_t variable, const Node *value)
{
    Variable *v = &f->body->variables.data[variable];
    if (v->kind == VARIABLE_GLOBAL || v->is_array) return;
    RootSet roots = v->roots | declare__roots(f->d, f->body, value);
    RootSet elements = v->elements | declare__elements(f->d, f->body, value);
    NumberSet numbers = v->numbers | declare__numbers(f->body, value);
    RootSet copies = v->copies | declare__copies(f->body, value);
    if (v->is_integer && is_product(f->body, value)) v->product = true;
    f->changed |= roots != v->roots || elements != v->elements || numbers != v->numbers || copies != v->copies;
    v->roots = roots, v->elements = elements, v->numbers = numbers, v->copies = copies;
}

static void mark_changed(Flow *f, const Node *target, bool scaled)
{
    if (target->kind != NODE_VARIABLE) return;
    f->body->variables.data[target->number].changed = true;
    f->body->variables.data[target->number].scaled |= scaled;
}

static bool is_sum(uint32_t op)
{
    return op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub || op == CXBinaryOperator_AddAssign || op == CXBinaryOperator_SubAssign;
}

/* v = v / 10 */
static bool scales(const Node *assignment)
{
    const Node *target = assignment->kids[0], *value = assignment->kids[1];
    return target->kind == NODE_VARIABLE && value->kind == NODE_BINARY && !is_sum(value->op) && value->kids[0]->kind == NODE_VARIABLE &&
           value->kids[0]->number == target->number;
}

static void flow(Flow *f, const Node *node)
{
    for (uint32_t i = 0; i < node->count; i++)
        if (node->kids[i]) flow(f, node->kids[i]);
    switch (node->kind) {
    case NODE_ASSIGN:
        mark_changed(f, node->kids[0], scales(node));
        if (node->kids[0]->kind == NODE_VARIABLE) flow_into(f, node->kids[0]->number, node->kids[1]);
        break;
    case NODE_UPDATE:
        mark_changed(f, node->kids[0], !is_sum(node->op));
        if (node->kids[0]->kind == NODE_VARIABLE && node->op == CXBinaryOperator_AddAssign)
            flow_into(f, node->kids[0]->number, node->kids[1]);
        break;
    case NODE_STEP: mark_changed(f, node->kids[0], false); break;
    case NODE_DECLARE:
        if (node->count) flow_into(f, node->number, node->kids[0]);
        break;
    case NODE_EXIT:
        if (node->is_return && node->count) {
            Facts *facts = &f->d->facts.data[f->body->function];
            RootSet of_params = facts->param_roots < ROOT_MOST ? ((RootSet)1 << facts->param_roots) - 1 : ~(RootSet)0;
            facts->returns |= declare__roots(f->d, f->body, node->kids[0]) & of_params;
        }
        break;
    default: break;
    }
}

bool declare__alias(Declarer *d, Body *body)
{
    Facts *facts = &d->facts.data[body->function];
    RootSet before = facts->returns;
    Flow f = {.d = d, .body = body, .changed = true};
    while (f.changed && body->root) {
        f.changed = false;
        flow(&f, body->root);
    }
    return facts->returns != before;
}
