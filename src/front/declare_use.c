/* One walk over a body: what is read and written, tested, moved, passed on.  An expression is visited in the mode its place asks for: `x` in
 * `x = 1` is written, in `&x` its address is taken and anything may happen to it.  Pointers are judged by their roots (declare_alias.c), so
 * what is done to a copy of a parameter is done to the parameter. */
#include "front/declare_int.h"

typedef enum Mode { MODE_READ, MODE_WRITE, MODE_UPDATE, MODE_ADDRESS } Mode;
typedef enum Test {
    TEST_NONE,
    TEST_PLAIN,
    TEST_EXIT,
    TEST_LOOP
} Test; /* of the condition being visited; EXIT: it leaves what is around it */

typedef struct Walk {
    Declarer *d;
    Body *body;
    Facts *facts;
    Lengths lengths;
    Test test;
    bool rejects; /* the condition being visited is that of an `if` that does nothing but leave */
} Walk;

static void visit(Walk *w, const Node *node, Mode mode);
static void visit_condition(Walk *w, const Node *node);

static RootSet roots_of(const Walk *w, const Node *node)
{
    return declare__roots(w->d, w->body, node);
}

#define FOR_EACH_ROOT(w, which, root) \
    for (RootSet set_ = (which); set_; set_ &= set_ - 1) \
        for (Root *root = &(w)->facts->roots[__builtin_ctzll(set_)]; root; root = NULL)

/* ---- access through a pointer ---- */

static void mark_access(Walk *w, RootSet roots, Mode mode)
{
    FOR_EACH_ROOT(w, roots, root)
    {
        root->use.dereferenced = true;
        root->use.read |= mode != MODE_WRITE;
        root->use.written |= mode != MODE_READ;
    }
}

static void mark_indexed(Walk *w, RootSet roots)
{
    FOR_EACH_ROOT(w, roots, root) root->use.indexed = true;
}

static void mark_reach(Walk *w, RootSet roots, uint64_t reach)
{
    FOR_EACH_ROOT(w, roots, root)
    {
        if (root->use.reach < reach) root->use.reach = reach;
    }
}

static void visit_index(Walk *w, RootSet roots, const Node *index)
{
    visit(w, index, MODE_READ);
    if (!roots) return;
    if (index->kind == NODE_CONSTANT) {
        if (index->value >= 0) mark_reach(w, roots, (uint64_t)index->value + 1);
        if (index->value < 0) mark_indexed(w, roots);
        return;
    }
    mark_indexed(w, roots);
    declare__index_by(&w->lengths, roots, index);
}

static bool is_offset(const Node *node)
{
    return node->kind == NODE_BINARY && node->op == CXBinaryOperator_Add;
}

/* base[index], or *base where there is no index. */
static void visit_element(Walk *w, const Node *base, const Node *index, bool is_char, Mode mode)
{
    if (base->is_array) {
        if (index) visit(w, index, MODE_READ);
        if (index && index->kind != NODE_CONSTANT) mark_indexed(w, roots_of(w, base)); /* characters in a struct */
        visit(w, base, mode);
        return;
    }
    RootSet roots = roots_of(w, base);
    visit(w, base, MODE_READ);
    if (mode != MODE_ADDRESS) mark_access(w, roots, mode);
    if (is_char && w->test == TEST_LOOP && mode == MODE_READ) {
        FOR_EACH_ROOT(w, roots, root) root->weak_string = true;
    }
    if (index) visit_index(w, roots, index);
    else if (mode != MODE_ADDRESS) mark_reach(w, roots, 1);
}

static void visit_dereference(Walk *w, const Node *node, Mode mode)
{
    const Node *base = node->kids[0];
    if (!is_offset(base)) {
        visit_element(w, base, NULL, node->is_char, mode);
        return;
    }
    bool swapped = !roots_of(w, base->kids[0]) && roots_of(w, base->kids[1]);
    visit_element(w, base->kids[swapped], base->kids[!swapped], node->is_char, mode);
}

static void visit_member(Walk *w, const Node *node, Mode mode)
{
    const Node *base = node->kids[0];
    if (!node->arrow || base->is_array) {
        visit(w, base, mode);
        return;
    }
    RootSet roots = roots_of(w, base);
    visit(w, base, MODE_READ);
    mark_access(w, roots, mode == MODE_ADDRESS ? MODE_UPDATE : mode);
    mark_reach(w, roots, 1);
}

static void visit_variable(Walk *w, const Node *node, Mode mode)
{
    const Variable *variable = &w->body->variables.data[node->number];
    if (variable->kind != VARIABLE_GLOBAL) return;
    CGlobalUse *use = &w->facts->globals.data[variable->number];
    const CType *type = w->d->globals.data[use->global].type;
    bool is_const = type->is_const || (type->kind == C_ARRAY && type->of->is_const);
    use->read |= mode != MODE_WRITE;
    use->written |= mode != MODE_READ && !is_const;
}

/* ---- tests ---- */

static bool is_zero(const Node *node)
{
    return node->kind == NODE_CONSTANT && node->value == 0;
}

static bool in_bounded_loop(const Walk *w)
{
    return w->lengths.loop && w->lengths.loop->first < w->lengths.bounds.len;
}

/* An element is compared with 0.  In a loop that ends by counting, that alone is no walk to the end of a string. */
static void note_zero_test(Walk *w, const Node *node, bool as_character)
{
    RootSet elements = declare__elements(w->d, w->body, node);
    bool ends_walk = w->test == TEST_LOOP || w->test == TEST_EXIT || !in_bounded_loop(w);
    bool alone = w->test == TEST_LOOP && w->lengths.loop && !w->lengths.loop->numbers && !in_bounded_loop(w);
    FOR_EACH_ROOT(w, elements, root)
    {
        root->zero_tested |= ends_walk;
        root->walked |= alone && root->is_char;
        root->zero_written |= as_character;
        root->weak_string |= ends_walk;
    }
    const Variable *variable = node->kind == NODE_VARIABLE ? &w->body->variables.data[node->number] : NULL;
    bool is_copy = variable &&
                   (variable->kind == VARIABLE_LOCAL || variable->changed); /* `s = grow(s); if (!s)` is no test of what was given */
    FOR_EACH_ROOT(w, declare__copies(w->body, node), root)
    {
        root->use.null_tested = true;
        root->use.tested_here |= !is_copy;
    }
}

/* Of two parameters one is the beginning of an array and the other its end, or a place in it. */
static void note_end(Walk *w, RootSet begin, RootSet end)
{
    if (!begin || !end || (begin & (begin - 1)) || (end & (end - 1))) return;
    uint32_t from = (uint32_t)__builtin_ctzll(begin), to = (uint32_t)__builtin_ctzll(end);
    if (from >= w->facts->param_roots || to >= w->facts->param_roots || from == to) return;
    Root *first = &w->facts->roots[from], *last = &w->facts->roots[to];
    if (first->use.inside || last->use.has_end) return;
    first->use.has_end = true;
    last->use.inside = from + 1;
}

static bool moves(const Walk *w, const Node *node)
{
    return node->kind == NODE_STEP || (node->kind == NODE_VARIABLE && w->body->variables.data[node->number].changed);
}

static void note_order(Walk *w, uint32_t op, const Node *left, const Node *right)
{
    RootSet l = roots_of(w, left), r = roots_of(w, right);
    bool loop = w->test == TEST_LOOP && op == CXBinaryOperator_NE;
    if (op == CXBinaryOperator_LT || op == CXBinaryOperator_LE) note_end(w, l, r);
    else if (op == CXBinaryOperator_GT || op == CXBinaryOperator_GE) note_end(w, r, l);
    else if (loop && moves(w, left)) note_end(w, l, r);
    else if (loop && moves(w, right)) note_end(w, r, l);
}

static bool has_field(const Walk *w, RootSet roots)
{
    for (RootSet set = roots; set; set &= set - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(set);
        if (number >= w->facts->param_roots && w->facts->origins[number].is_field) return true;
    }
    return false;
}

/* The numbers in a sum of a pointer and a number that is written as one, `a + n`. */
static NumberSet added_numbers(const Walk *w, const Node *node)
{
    if (node->kind != NODE_BINARY || node->op != CXBinaryOperator_Add) return 0;
    bool left = roots_of(w, node->kids[0]) != 0, right = roots_of(w, node->kids[1]) != 0;
    return left == right ? 0 : declare__numbers(w->body, node->kids[left ? 1 : 0]);
}

/* p < a + n: what is compared was once the same pointer, and the sum is its end. */
static void compare_pointers(Walk *w, uint32_t op, const Node *left, const Node *right)
{
    RootSet l = roots_of(w, left), r = roots_of(w, right), common = l & r;
    if (common) {
        NumberSet a = declare__numbers(w->body, left), b = declare__numbers(w->body, right);
        declare__is_length(&w->lengths, common, added_numbers(w, left) | added_numbers(w, right), SCORE_SURE);
        declare__is_length(&w->lengths, common, b & ~a, SCORE_SURE);
        declare__is_length(&w->lengths, common, a & ~b, SCORE_SURE);
        return;
    }
    note_order(w, op, left, right);
    bool field = has_field(w, l | r);
    FOR_EACH_ROOT(w, l | r, root)
    {
        root->use.compared = true;
        root->use.meets_field |= field;
    }
}

static bool is_comparison(const Node *node)
{
    return node->kind == NODE_BINARY && node->op >= CXBinaryOperator_LT && node->op <= CXBinaryOperator_NE;
}

static const Variable *integer_field(const Walk *w, const Node *node)
{
    if (node->kind != NODE_MEMBER || node->number == UINT32_MAX) return NULL;
    const Variable *variable = &w->body->variables.data[node->number];
    return variable->kind == VARIABLE_FIELD && variable->is_integer ? variable : NULL;
}

/* if (s->len > s->cap) return -1; */
static void note_checked(Walk *w, uint32_t op, const Node *left, const Node *right)
{
    const Variable *a = integer_field(w, left), *b = integer_field(w, right);
    if (!a || !b || !w->rejects || op == CXBinaryOperator_EQ || op == CXBinaryOperator_NE) return;
    vec_push(&w->facts->checked, a->number);
    vec_push(&w->facts->checked, b->number);
}

static void raise_text(Walk *w, uint64_t length)
{
    if (length < UINT32_MAX && w->facts->text < length) w->facts->text = (uint32_t)length;
}

static bool is_text_length(const Walk *w, const Node *node)
{
    if (node->kind == NODE_VARIABLE) return w->body->variables.data[node->number].is_text_length;
    if (node->kind == NODE_ASSIGN) return is_text_length(w, node->kids[1]);
    const char *library = node->kind == NODE_CALL ? declare__library_callee(w->d, node->kids[0]) : NULL;
    return library && (strcmp(library, "strlen") == 0 || strcmp(library, "strnlen") == 0);
}

static void note_text_length(Walk *w, const Node *left, const Node *right)
{
    if (right->kind == NODE_CONSTANT && right->value > 0 && is_text_length(w, left)) raise_text(w, (uint64_t)right->value);
}

static void visit_comparison(Walk *w, const Node *node)
{
    const Node *left = node->kids[0], *right = node->kids[1];
    if (is_zero(right)) note_zero_test(w, left, right->is_character);
    else if (is_zero(left)) note_zero_test(w, right, left->is_character);
    else if (roots_of(w, left) | roots_of(w, right)) compare_pointers(w, node->op, left, right);
    else declare__compare_numbers(&w->lengths, node->op, left, right);
    note_checked(w, node->op, left, right);
    note_text_length(w, left, right);
    note_text_length(w, right, left);
    visit(w, left, MODE_READ);
    visit(w, right, MODE_READ);
}

static bool is_logical(const Node *node)
{
    return node->kind == NODE_BINARY && (node->op == CXBinaryOperator_LAnd || node->op == CXBinaryOperator_LOr);
}

static void visit_condition(Walk *w, const Node *node)
{
    if (is_logical(node)) {
        visit_condition(w, node->kids[0]);
        visit_condition(w, node->kids[1]);
    } else if (node->kind == NODE_NOT) {
        visit_condition(w, node->kids[0]);
    } else if (is_comparison(node)) {
        visit_comparison(w, node);
    } else {
        note_zero_test(w, node, false);
        visit(w, node, MODE_READ);
    }
}

static void visit_test(Walk *w, const Node *condition, Test test, bool rejects)
{
    Test before = w->test;
    bool rejected = w->rejects;
    w->test = test;
    w->rejects = rejects;
    visit_condition(w, condition);
    w->test = before;
    w->rejects = rejected;
}

/* ---- calls ---- */

static void use_by_library(Walk *w, RootSet roots, uint32_t flags)
{
    FOR_EACH_ROOT(w, roots, root)
    {
        bool used = flags & (LIBRARY_STRING | LIBRARY_TEXT | LIBRARY_READ | LIBRARY_WRITE);
        root->use.dereferenced |= used;
        root->use.read |= (flags & (LIBRARY_STRING | LIBRARY_TEXT | LIBRARY_READ)) != 0;
        root->text |= (flags & LIBRARY_TEXT) != 0;
        root->use.string |= (flags & LIBRARY_STRING) != 0;
        root->use.written |= (flags & LIBRARY_WRITE) != 0;
        root->use.freed |= (flags & LIBRARY_FREE) != 0;
    }
}

static void use_length(Walk *w, RootSet roots, const Node *length, bool is_text)
{
    /* A number that is computed from a parameter is not that parameter: `memcpy(to, from, rest)` says little of the room behind `to`. */
    bool bare = length->kind != NODE_VARIABLE || w->body->variables.data[length->number].kind != VARIABLE_LOCAL;
    declare__is_length(&w->lengths, roots, declare__numbers(w->body, length), bare ? SCORE_SURE : SCORE_DERIVED);
    if (length->kind != NODE_CONSTANT || length->value <= 0 || is_text) return;
    FOR_EACH_ROOT(w, roots, root) mark_reach(w, (RootSet)1 << (root - w->facts->roots), (uint64_t)length->value / root->size);
}

static void use_by_format(Walk *w, const Node *call, uint32_t format, bool scan)
{
    uint32_t flags[32], count;
    const Node *text = call->kids[format];
    if (clang_getCursorKind(text->cursor) != CXCursor_StringLiteral) return;
    CXString spelling = clang_getCursorSpelling(text->cursor);
    count = declare__format(clang_getCString(spelling), scan, flags, COUNT_OF(flags));
    clang_disposeString(spelling);
    for (uint32_t i = 0; i < count && format + 1 + i < call->count; i++)
        use_by_library(w, roots_of(w, call->kids[format + 1 + i]), flags[i]);
}

static bool compares_texts(const char *function)
{
    static const char *const names[] = {"strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll",
                                        "memcmp", "bcmp",    "strstr",     "strcasestr",  "memmem"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(function, names[i]) == 0) return true;
    return false;
}

static void note_compared_text(Walk *w, const Node *argument)
{
    if (clang_getCursorKind(argument->cursor) != CXCursor_StringLiteral) return;
    CXString spelling = clang_getCursorSpelling(argument->cursor);
    uint64_t length = 0;
    for (const char *p = clang_getCString(spelling); *p; p++) {
        if (*p == '\\' && p[1]) p++;
        else if (*p == '"') continue;
        length++;
    }
    clang_disposeString(spelling);
    raise_text(w, length);
}

/* `p + k` or `&p[k]`, but not `&p[0]`: a place behind the one that the pointer leads to. */
static bool is_behind(const Walk *w, const Node *place)
{
    const Node *element = place->kind == NODE_ADDRESS ? place->kids[0] : NULL;
    if (element && element->kind == NODE_SUBSCRIPT) return element->kids[1]->kind != NODE_CONSTANT || element->kids[1]->value > 0;
    return place->kind == NODE_BINARY && place->op == CXBinaryOperator_Add && roots_of(w, place);
}

static bool is_parameter(const Walk *w, const Node *number)
{
    return number->kind == NODE_VARIABLE && w->body->variables.data[number->number].kind == VARIABLE_PARAM;
}

/* `memcpy(p + k, …, n)`: n elements behind that place are used, and k before it, so neither is how many there are. */
static void note_passed(Walk *w, RootSet roots, const Node *place, const Node *length)
{
    const Node *index = place->kind == NODE_ADDRESS ? place->kids[0]->kids[1] : NULL;
    NumberSet passed = is_parameter(w, length) ? declare__numbers(w->body, length) : 0;
    passed |= index ? (is_parameter(w, index) ? declare__numbers(w->body, index) : 0) : added_numbers(w, place);
    FOR_EACH_ROOT(w, roots, root) root->passed |= passed;
}

static void visit_library_call(Walk *w, const Node *call, const char *name)
{
    for (uint32_t i = 1; i < call->count && compares_texts(name); i++) note_compared_text(w, call->kids[i]);
    for (uint32_t i = 1; i < call->count; i++) {
        LibraryArgument argument = declare__library(w->d, name, i - 1);
        RootSet roots = roots_of(w, call->kids[i]);
        use_by_library(w, roots, argument.flags);
        const Node *length = argument.length >= 0 && (uint32_t)argument.length + 1 < call->count ? call->kids[argument.length + 1] : NULL;
        if (length && is_behind(w, call->kids[i])) note_passed(w, roots, call->kids[i], length);
        if (length) use_length(w, roots, length, argument.flags & LIBRARY_TEXT);
        if (argument.flags & (LIBRARY_FORMAT | LIBRARY_SCAN)) use_by_format(w, call, i, argument.flags & LIBRARY_SCAN);
    }
}

static void record_call(Walk *w, const Node *call, uint32_t callee)
{
    Call entry = {.callee = callee, .count = call->count - 1};
    bool passes = false;
    entry.args = arena_alloc(&w->d->arena, entry.count * sizeof *entry.args);
    for (uint32_t i = 0; i < entry.count; i++) {
        entry.args[i].roots = roots_of(w, call->kids[i + 1]);
        entry.args[i].numbers = declare__numbers(w->body, call->kids[i + 1]);
        entry.args[i].is_behind = is_behind(w, call->kids[i + 1]);
        entry.args[i].is_parameter = is_parameter(w, call->kids[i + 1]);
        passes |= entry.args[i].roots != 0;
    }
    if (passes) vec_push(&w->facts->calls, entry);
}

static void note_nulls(Walk *w, const Node *call, uint32_t function)
{
    CFunction *callee = &w->d->functions.data[function];
    for (uint32_t i = 1; i < call->count && i <= callee->param_count; i++) {
        const Node *argument = call->kids[i];
        bool zero = argument->kind == NODE_CONSTANT && argument->value == 0 && !argument->is_character;
        if (zero && callee->params[i - 1].type->kind == C_POINTER) vec_push(&w->d->nulls, ((NullGiven){function, i - 1}));
    }
}

/* `release(p)`, where the initial value of the global `release`, or of the struct that it is in, has `free` in it. */
static bool calls_free(const Walk *w, const Node *callee)
{
    while (callee->kind == NODE_MEMBER || callee->kind == NODE_DEREFERENCE) callee = callee->kids[0];
    if (callee->kind != NODE_VARIABLE) return false;
    const Variable *variable = &w->body->variables.data[callee->number];
    if (variable->kind != VARIABLE_GLOBAL) return false;
    return w->d->globals.data[w->facts->globals.data[variable->number].global].frees;
}

static void visit_call(Walk *w, const Node *call)
{
    const Node *callee = call->kids[0];
    for (uint32_t i = callee->kind == NODE_FUNCTION; i < call->count; i++) visit(w, call->kids[i], MODE_READ);
    const char *library = declare__library_callee(w->d, callee);
    if (library) visit_library_call(w, call, library);
    for (uint32_t i = 1; i < call->count && calls_free(w, callee); i++) use_by_library(w, roots_of(w, call->kids[i]), LIBRARY_FREE);
    if (callee->kind == NODE_FUNCTION && callee->number != UINT32_MAX) record_call(w, call, callee->number);
    if (callee->kind == NODE_FUNCTION && callee->number != UINT32_MAX) note_nulls(w, call, callee->number);
}

/* ---- conversions of void pointers ---- */

static bool same_type(const CType *a, const CType *b)
{
    if (a->kind != b->kind || a->size != b->size) return false;
    return strcmp(a->plain, b->plain) == 0 || (a->fields && a->fields == b->fields);
}

void declare__note_cast(Root *root, const CType *type)
{
    const CType *known = root->use.cast;
    if (!known || (known->kind == C_CHAR && type->kind != C_CHAR)) root->use.cast = type; /* bytes of an object are looked at besides */
    else if (type->kind != C_CHAR && !same_type(known, type)) root->cast_clash = true;
}

static void visit_cast(Walk *w, const Node *node)
{
    CXType pointee = clang_getPointeeType(declare__strip(clang_getCursorType(node->cursor)));
    FOR_EACH_ROOT(w, roots_of(w, node->kids[0]), root)
    {
        if (root->is_void) declare__note_cast(root, declare__type(w->d, pointee));
    }
    visit(w, node->kids[0], MODE_READ);
}

/* ---- moving ---- */

static void visit_move(Walk *w, const Node *node)
{
    RootSet roots = roots_of(w, node->kids[0]);
    mark_indexed(w, roots);
    if (roots) declare__move(&w->lengths, roots);
    const Node *moved = node->kids[0];
    if (moved->kind == NODE_VARIABLE && moved->number != UINT32_MAX && w->body->variables.data[moved->number].is_integer)
        declare__count(&w->lengths, moved->number);
    visit(w, node->kids[0], MODE_UPDATE);
    if (node->count > 1) visit(w, node->kids[1], MODE_READ);
}

/* A sum that is a pointer: it may be an end, so a parameter that is added is not taken for an index. */
static void visit_sum(Walk *w, const Node *node)
{
    bool swapped = !roots_of(w, node->kids[0]);
    const Node *base = node->kids[swapped], *offset = node->kids[!swapped];
    RootSet roots = roots_of(w, base);
    visit(w, base, MODE_READ);
    visit(w, offset, MODE_READ);
    mark_indexed(w, roots);
    if (!declare__numbers(w->body, offset)) declare__index_by(&w->lengths, roots, offset);
}

static void visit_binary(Walk *w, const Node *node)
{
    bool sum = node->op == CXBinaryOperator_Add || node->op == CXBinaryOperator_Sub;
    if (is_logical(node)) {
        visit_condition(w, node);
    } else if (is_comparison(node)) {
        visit_comparison(w, node);
    } else if (sum && roots_of(w, node)) {
        visit_sum(w, node);
    } else {
        if (node->op == CXBinaryOperator_Sub) note_end(w, roots_of(w, node->kids[1]), roots_of(w, node->kids[0]));
        visit(w, node->kids[0], MODE_READ);
        visit(w, node->kids[1], MODE_READ);
    }
}

/* The value is stored in a field, which is a variable of the body.  A number counts where it is a parameter as it was given. */
static void note_stored(Walk *w, uint32_t field, const Node *value)
{
    if (field == UINT32_MAX) return;
    const Variable *variable = &w->body->variables.data[field];
    NumberSet params = w->facts->param_roots < ROOT_MOST ? ((NumberSet)1 << w->facts->param_roots) - 1 : ~(NumberSet)0;
    if (variable->roots) {
        RootSet roots = roots_of(w, value);
        if (roots) vec_push(&w->facts->stored, ((Stored){roots, added_numbers(w, value) & params, variable->number}));
    } else if (variable->is_integer && value->kind == NODE_VARIABLE && !w->body->variables.data[value->number].scaled) {
        NumberSet numbers = declare__numbers(w->body, value) & params;
        if (numbers) vec_push(&w->facts->stored, ((Stored){0, numbers, variable->number}));
    }
}

static void note_given(Walk *w, uint32_t variable, const Node *value)
{
    if (is_text_length(w, value)) w->body->variables.data[variable].is_text_length = true;
}

/* ---- statements ---- */

static bool leaves(const Node *node)
{
    if (node->kind == NODE_EXIT) return true;
    if (node->kind == NODE_LOOP || node->kind == NODE_SWITCH) return false;
    for (uint32_t i = 0; i < node->count; i++)
        if (node->kids[i] && leaves(node->kids[i])) return true;
    return false;
}

static bool just_leaves(const Node *node)
{
    return node->kind == NODE_EXIT || (node->kind == NODE_OTHER && node->count == 1 && just_leaves(node->kids[0]));
}

static void visit_rest(Walk *w, const Node *node, uint32_t first)
{
    for (uint32_t i = first; i < node->count; i++)
        if (node->kids[i]) visit(w, node->kids[i], MODE_READ);
}

static void visit_loop(Walk *w, const Node *node)
{
    LoopScope loop;
    Test before = w->test;
    w->test = TEST_NONE;
    if (node->kids[1]) visit(w, node->kids[1], MODE_READ);
    declare__enter_loop(&w->lengths, &loop, node->kids[0]);
    if (node->kids[0]) visit_test(w, node->kids[0], TEST_LOOP, false);
    w->lengths.in_loop_condition = false;
    visit_rest(w, node, 2);
    declare__leave_loop(&w->lengths);
    w->test = before;
}

static void visit_switch(Walk *w, const Node *node)
{
    RootSet elements = declare__elements(w->d, w->body, node->kids[0]);
    FOR_EACH_ROOT(w, elements, root)
    {
        root->zero_tested |= w->lengths.loop && !in_bounded_loop(w);
        root->weak_string |= !in_bounded_loop(w);
    }
    visit_rest(w, node, 0);
}

static Mode address_mode(const Node *node)
{
    const Node *object = node->kids[0];
    bool element = object->kind == NODE_SUBSCRIPT || object->kind == NODE_DEREFERENCE;
    return node->to_const && !element ? MODE_READ : MODE_ADDRESS;
}

static void visit(Walk *w, const Node *node, Mode mode)
{
    if (node->decays && mode == MODE_READ) mode = MODE_UPDATE;
    switch (node->kind) {
    case NODE_CONSTANT:
    case NODE_FUNCTION:
    case NODE_SIZEOF: break;
    case NODE_VARIABLE: visit_variable(w, node, mode); break;
    case NODE_DEREFERENCE: visit_dereference(w, node, mode); break;
    case NODE_SUBSCRIPT: visit_element(w, node->kids[0], node->kids[1], node->is_char, mode); break;
    case NODE_MEMBER: visit_member(w, node, mode); break;
    case NODE_ADDRESS: visit(w, node->kids[0], address_mode(node)); break;
    case NODE_STEP:
    case NODE_UPDATE: visit_move(w, node); break;
    case NODE_NOT: visit_condition(w, node->kids[0]); break;
    case NODE_BINARY: visit_binary(w, node); break;
    case NODE_ASSIGN:
        visit(w, node->kids[1], MODE_READ);
        visit(w, node->kids[0], MODE_WRITE);
        if (node->kids[0]->kind == NODE_MEMBER) note_stored(w, node->kids[0]->number, node->kids[1]);
        if (node->kids[0]->kind == NODE_VARIABLE) note_given(w, node->kids[0]->number, node->kids[1]);
        break;
    case NODE_INITIAL:
        visit(w, node->kids[0], MODE_READ);
        note_stored(w, node->number, node->kids[0]);
        break;
    case NODE_DECLARE:
        visit_rest(w, node, 0);
        if (node->count) note_given(w, node->number, node->kids[0]);
        break;
    case NODE_CALL: visit_call(w, node); break;
    case NODE_CAST: visit_cast(w, node); break;
    case NODE_CHOICE:
        visit_test(w, node->kids[0], TEST_PLAIN, false);
        visit(w, node->kids[1], mode);
        visit(w, node->kids[2], mode);
        break;
    case NODE_IF:
        visit_test(w, node->kids[0], leaves(node->kids[1]) ? TEST_EXIT : TEST_PLAIN, just_leaves(node->kids[1]));
        visit_rest(w, node, 1);
        break;
    case NODE_LOOP: visit_loop(w, node); break;
    case NODE_SWITCH: visit_switch(w, node); break;
    default: visit_rest(w, node, 0);
    }
}

static void judge_strings(Facts *facts)
{
    for (uint32_t i = 0; i < facts->root_count; i++) {
        Root *root = &facts->roots[i];
        bool characters = root->is_char || root->is_void;
        bool first_only = root->is_plain_char && (root->is_const || root->zero_written);
        root->use.string |= root->zero_tested && characters && (root->use.indexed || first_only);
        root->weak_string = characters && (root->text || (root->weak_string && root->use.indexed && !root->use.compared));
    }
}

void declare__use(Declarer *d, Body *body)
{
    Facts *facts = &d->facts.data[body->function];
    Walk w = {.d = d, .body = body, .facts = facts, .lengths = {.d = d, .body = body, .facts = facts}};
    if (body->root) visit(&w, body->root, MODE_READ);
    declare__finish_lengths(&w.lengths);
    judge_strings(facts);
}
