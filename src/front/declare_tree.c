/* A function's body as a tree of what matters: parentheses, implicit conversions and casts that change no meaning here are gone, constants
 * are computed, names are numbers.  Building it visits every expression once; everything after works on it alone. */
#include "front/declare_int.h"

enum { DEPTH_MOST = 3000 }; /* of nested expressions; what is deeper is not looked into */

typedef Vec(CXCursor) Cursors;

typedef struct Builder {
    Declarer *d;
    Body *body;      /* NULL: of a global's initial value, only names are of interest */
    uint32_t global; /* whose value it is then */
    Cursors stack;
    uint32_t depth;
} Builder;

static Node *build(Builder *b, CXCursor cursor);

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    vec_push((Cursors *)data, cursor);
    return CXChildVisit_Continue;
}

static Node *new_node(Builder *b, NodeKind kind, CXCursor cursor, uint32_t count)
{
    Node *node = arena_alloc(&b->d->trees, sizeof *node);
    node->kind = kind;
    node->cursor = cursor;
    node->count = count;
    if (count) node->kids = arena_alloc(&b->d->trees, count * sizeof(Node *));
    return node;
}

/* ---- names ---- */

static Facts *facts_of(Builder *b)
{
    return &b->d->facts.data[b->body->function];
}

static uint32_t note_global(Builder *b, CXCursor declaration)
{
    uint32_t global = declare__global(b->d, declaration);
    if (!b->body) return global;
    Facts *facts = facts_of(b);
    for (uint32_t i = 0; i < facts->globals.len; i++)
        if (facts->globals.data[i].global == global) return i;
    CGlobalUse use = {.global = global, .use.length = -1};
    vec_push(&facts->globals, use);
    return facts->globals.len - 1;
}

static bool is_integer(const CType *type)
{
    return type->kind == C_INT || type->kind == C_CHAR;
}

static uint32_t add_variable(Builder *b, CXCursor declaration, Variable variable)
{
    uint32_t index = b->body->variables.len;
    vec_push(&b->body->variables, variable);
    map_put(&b->body->variable_of, declare__key(declaration), index);
    return index;
}

static uint32_t add_global_variable(Builder *b, CXCursor declaration)
{
    Variable variable = {.kind = VARIABLE_GLOBAL, .number = note_global(b, declaration)};
    Facts *facts = facts_of(b);
    const CType *type = b->d->globals.data[facts->globals.data[variable.number].global].type;
    variable.is_array = type->kind == C_ARRAY;
    variable.is_integer = is_integer(type);
    if (type->kind == C_POINTER && facts->root_count < ROOT_MOST) {
        facts->origins[facts->root_count].number = variable.number;
        variable.roots = variable.copies = (RootSet)1 << facts->root_count++;
    }
    return add_variable(b, declaration, variable);
}

static bool is_integer_kind(enum CXTypeKind kind)
{
    return kind >= CXType_Char_U && kind <= CXType_Int128;
}

static uint32_t variable_of(Builder *b, CXCursor declaration)
{
    uint64_t *known = map_find(&b->body->variable_of, declare__key(declaration));
    if (known) return (uint32_t)*known;
    if (clang_Cursor_hasVarDeclGlobalStorage(declaration) == 1) return add_global_variable(b, declaration);
    enum CXTypeKind kind = declare__strip(clang_getCursorType(declaration)).kind;
    Variable variable = {.kind = VARIABLE_LOCAL};
    variable.is_array = kind == CXType_ConstantArray || kind == CXType_IncompleteArray || kind == CXType_VariableArray;
    variable.is_integer = is_integer_kind(kind);
    return add_variable(b, declaration, variable);
}

/* Fields count as variables, whichever object they are of: pointers as roots, integers as indices and lengths. */
static uint32_t field_variable(Builder *b, CXCursor member, bool is_integer_field)
{
    CXCursor field = clang_getCursorReferenced(member);
    uint64_t *known = map_find(&b->body->variable_of, declare__key(field));
    if (known) return (uint32_t)*known;
    Variable variable = {.kind = VARIABLE_FIELD, .number = declare__field(b->d, field), .is_integer = is_integer_field};
    Facts *facts = facts_of(b);
    if (is_integer_field && facts->number_count < ROOT_MOST) {
        facts->number_fields[facts->number_count] = variable.number;
        variable.numbers = (NumberSet)1 << facts->number_count++;
    } else if (!is_integer_field && facts->root_count < FIELD_ROOT_MOST) {
        facts->origins[facts->root_count].is_field = true;
        facts->origins[facts->root_count].number = variable.number;
        variable.roots = variable.copies = (RootSet)1 << facts->root_count++;
    }
    return add_variable(b, field, variable);
}

static void note_function(Builder *b, uint32_t function)
{
    if (function == UINT32_MAX) return;
    if (!b->body) {
        b->d->functions.data[function].is_kept = true;
        return;
    }
    Facts *facts = facts_of(b);
    for (uint32_t i = 0; i < facts->refers.len; i++)
        if (facts->refers.data[i] == function) return;
    vec_push(&facts->refers, function);
}

static const char *library_name(Builder *b, const Node *node, CXCursor declaration)
{
    if (node->number != UINT32_MAX) {
        const CFunction *function = &b->d->functions.data[node->number];
        return function->is_static ? NULL : function->name;
    }
    CXString name = clang_getCursorSpelling(declaration);
    const char *stripped = declare__builtin_name(&b->d->trees, clang_getCString(name));
    clang_disposeString(name);
    return stripped;
}

/* A library function under the compiler's name for it. */
static void note_builtin(Builder *b, const Node *function)
{
    if (function->number != UINT32_MAX || !function->library) return;
    for (uint32_t i = 0; i < b->d->builtins.len; i++)
        if (strcmp(b->d->builtins.data[i], function->library) == 0) return;
    vec_push(&b->d->builtins, arena_strdup(&b->d->decls->arena, function->library));
}

/* In an initial value a variable stands for its address, by which it may be written somewhere. */
static void keep_address(Builder *b, CXCursor declaration)
{
    uint32_t global = declare__global(b->d, declaration);
    b->d->globals.data[global].written = true;
}

static void note_release(Builder *b, const Node *function)
{
    if (b->body || !function->library) return;
    if (strcmp(function->library, "free") == 0 || strcmp(function->library, "realloc") == 0) b->d->globals.data[b->global].frees = true;
}

static Node *build_name(Builder *b, CXCursor cursor)
{
    CXCursor declaration = clang_getCursorReferenced(cursor);
    Node *node = new_node(b, NODE_OTHER, cursor, 0);
    switch (clang_getCursorKind(declaration)) {
    case CXCursor_FunctionDecl:
        node->kind = NODE_FUNCTION;
        node->number = declare__function(b->d, declaration);
        node->library = library_name(b, node, declaration);
        note_function(b, node->number);
        note_builtin(b, node);
        note_release(b, node);
        break;
    case CXCursor_EnumConstantDecl:
        node->kind = NODE_CONSTANT;
        node->value = clang_getEnumConstantDeclValue(declaration);
        break;
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl:
        if (!b->body) {
            if (clang_Cursor_hasVarDeclGlobalStorage(declaration) == 1) keep_address(b, declaration);
            break;
        }
        node->kind = NODE_VARIABLE;
        node->number = variable_of(b, declaration);
        node->is_array = node->decays = b->body->variables.data[node->number].is_array;
        break;
    default: break;
    }
    return node;
}

/* ---- expressions ---- */

static bool evaluate(CXCursor cursor, int64_t *value)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    bool known = result && clang_EvalResult_getKind(result) == CXEval_Int;
    if (known) *value = clang_EvalResult_getAsLongLong(result);
    if (result) clang_EvalResult_dispose(result);
    return known;
}

static bool is_character(CXType array)
{
    enum CXTypeKind kind = declare__strip(clang_getArrayElementType(array)).kind;
    return kind == CXType_Char_S || kind == CXType_Char_U;
}

/* UINT32_MAX: the field is neither a pointer, nor a number, nor a text. */
static uint32_t number_of_field(Builder *b, CXCursor member)
{
    CXType type = declare__strip(clang_getCursorType(member));
    bool text = type.kind == CXType_ConstantArray && is_character(type);
    if (!b->body || !(is_integer_kind(type.kind) || type.kind == CXType_Pointer || text)) return UINT32_MAX;
    return field_variable(b, member, is_integer_kind(type.kind));
}

static void classify_type(Builder *b, Node *node)
{
    enum CXTypeKind kind = declare__strip(clang_getCursorType(node->cursor)).kind;
    node->number = node->kind == NODE_MEMBER ? number_of_field(b, node->cursor) : UINT32_MAX;
    node->is_array = node->decays = kind == CXType_ConstantArray || kind == CXType_IncompleteArray || kind == CXType_VariableArray;
    node->is_char = kind == CXType_Char_S || kind == CXType_Char_U || kind == CXType_SChar || kind == CXType_UChar;
}

static bool points_to_void(CXType type)
{
    CXType bare = declare__strip(type);
    return bare.kind == CXType_Pointer && declare__strip(clang_getPointeeType(bare)).kind == CXType_Void;
}

static bool points_to_object(CXType type)
{
    CXType bare = declare__strip(type);
    if (bare.kind != CXType_Pointer) return false;
    enum CXTypeKind kind = declare__strip(clang_getPointeeType(bare)).kind;
    return kind != CXType_Void && kind != CXType_FunctionProto && kind != CXType_FunctionNoProto;
}

static bool points_to_const(CXType type)
{
    CXType bare = declare__strip(type);
    return bare.kind == CXType_Pointer && clang_isConstQualifiedType(clang_getCanonicalType(clang_getPointeeType(bare)));
}

/* A conversion counts only where a void pointer becomes one to an object. */
static Node *build_conversion(Builder *b, CXCursor cursor, CXCursor operand)
{
    Node *kid = build(b, operand);
    if (!kid || kid->kind == NODE_CONSTANT || !points_to_object(clang_getCursorType(cursor)) ||
        !points_to_void(clang_getCursorType(operand)))
        return kid;
    Node *node = new_node(b, NODE_CAST, cursor, 1);
    node->kids[0] = kid;
    return node;
}

static NodeKind unary_kind(enum CXUnaryOperatorKind op)
{
    switch (op) {
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec: return NODE_STEP;
    case CXUnaryOperator_AddrOf: return NODE_ADDRESS;
    case CXUnaryOperator_Deref: return NODE_DEREFERENCE;
    case CXUnaryOperator_LNot: return NODE_NOT;
    default: return NODE_OTHER;
    }
}

static NodeKind kind_of(CXCursor cursor, uint32_t *op)
{
    *op = 0;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_UnaryOperator: *op = clang_getCursorUnaryOperatorKind(cursor); return unary_kind(*op);
    case CXCursor_BinaryOperator:
        *op = clang_getCursorBinaryOperatorKind(cursor);
        return *op == CXBinaryOperator_Assign ? NODE_ASSIGN : NODE_BINARY;
    case CXCursor_CompoundAssignOperator: *op = clang_getCursorBinaryOperatorKind(cursor); return NODE_UPDATE;
    case CXCursor_ArraySubscriptExpr: return NODE_SUBSCRIPT;
    case CXCursor_MemberRefExpr: return NODE_MEMBER;
    case CXCursor_CallExpr: return NODE_CALL;
    case CXCursor_ConditionalOperator: return NODE_CHOICE;
    case CXCursor_IfStmt: return NODE_IF;
    case CXCursor_SwitchStmt: return NODE_SWITCH;
    case CXCursor_ReturnStmt:
    case CXCursor_BreakStmt:
    case CXCursor_GotoStmt: return NODE_EXIT;
    default: return NODE_OTHER;
    }
}

/* An array of which just an element or field is used, or that is passed to be read, stays what it is. */
static void keep_array(Node *node)
{
    Node *base = node->kids[0];
    if (node->kind == NODE_SUBSCRIPT || node->kind == NODE_MEMBER || node->kind == NODE_DEREFERENCE || node->kind == NODE_ADDRESS)
        base->decays = false;
    if (node->kind == NODE_DEREFERENCE && base->kind == NODE_BINARY) base->kids[0]->decays = base->kids[1]->decays = false;
    if (node->kind == NODE_CALL)
        for (uint32_t i = 1; i < node->count; i++) node->kids[i]->decays &= !node->kids[i]->to_const;
}

/* An operator over constants is a constant. */
static void fold(Node *node)
{
    bool all = node->count > 0;
    for (uint32_t i = 0; i < node->count; i++) all &= node->kids[i]->kind == NODE_CONSTANT || node->kids[i]->kind == NODE_SIZEOF;
    if (all && evaluate(node->cursor, &node->value)) node->kind = NODE_CONSTANT;
}

static uint32_t expected_kids(NodeKind kind)
{
    switch (kind) {
    case NODE_DEREFERENCE:
    case NODE_ADDRESS:
    case NODE_STEP:
    case NODE_NOT:
    case NODE_MEMBER: return 1;
    case NODE_BINARY:
    case NODE_ASSIGN:
    case NODE_UPDATE:
    case NODE_SUBSCRIPT:
    case NODE_IF: return 2;
    case NODE_CHOICE: return 3;
    case NODE_CALL:
    case NODE_SWITCH: return 1;
    default: return 0;
    }
}

static Node *build_plain(Builder *b, CXCursor cursor, uint32_t first, uint32_t count)
{
    uint32_t op, n = 0;
    NodeKind kind = kind_of(cursor, &op);
    Node *node = new_node(b, kind, cursor, count);
    node->op = op;
    for (uint32_t i = 0; i < count; i++) {
        CXCursor child = b->stack.data[first + i];
        Node *kid = build(b, child);
        if (!kid) continue;
        if (kind == NODE_CALL && n > 0) kid->to_const = points_to_const(clang_getCursorType(child));
        if (kind == NODE_MEMBER) node->arrow = declare__strip(clang_getCursorType(child)).kind == CXType_Pointer;
        node->kids[n++] = kid;
    }
    node->count = n;
    if (n < expected_kids(kind)) node->kind = NODE_OTHER;
    if (n) keep_array(node);
    if (kind == NODE_EXIT) node->is_return = clang_getCursorKind(cursor) == CXCursor_ReturnStmt;
    if (kind == NODE_DEREFERENCE || kind == NODE_SUBSCRIPT || kind == NODE_MEMBER) classify_type(b, node);
    if (kind == NODE_BINARY || (kind == NODE_OTHER && clang_getCursorKind(cursor) == CXCursor_UnaryOperator)) fold(node);
    return node;
}

/* `a ?: b` shows its first operand several times. */
static Node *build_short_choice(Builder *b, CXCursor cursor, uint32_t first)
{
    Node *node = new_node(b, NODE_CHOICE, cursor, 3);
    node->kids[0] = node->kids[1] = build(b, b->stack.data[first]);
    node->kids[2] = build(b, b->stack.data[first + 3]);
    if (!node->kids[0] || !node->kids[2]) node->kind = NODE_OTHER, node->count = 0;
    return node;
}

static Node *build_unexposed(Builder *b, CXCursor cursor, uint32_t first, uint32_t count)
{
    if (count == 1) return build_conversion(b, cursor, b->stack.data[first]);
    if (count == 4 && clang_equalCursors(b->stack.data[first], b->stack.data[first + 1])) return build_short_choice(b, cursor, first);
    return build_plain(b, cursor, first, count);
}

/* ---- initial values of structs ---- */

static enum CXVisitorResult collect_field(CXCursor field, CXClientData data)
{
    vec_push((Cursors *)data, field);
    return CXVisit_Continue;
}

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

/* `.field = value`: the field; else a null cursor. */
static CXCursor designated(CXCursor value)
{
    CXCursor first = clang_getNullCursor();
    if (clang_getCursorKind(value) != CXCursor_UnexposedExpr) return first;
    clang_visitChildren(value, take_first, &first);
    return clang_getCursorKind(first) == CXCursor_MemberRef ? clang_getCursorReferenced(first) : clang_getNullCursor();
}

static uint32_t find_field(const Cursors *fields, CXCursor field)
{
    uint32_t i = 0;
    while (i < fields->len && !clang_equalCursors(fields->data[i], field)) i++;
    return i;
}

/* The values in `{…}` of a struct, each with its field. */
static Node *build_struct(Builder *b, CXCursor cursor, CXType type, uint32_t first, uint32_t count)
{
    Cursors fields = {0};
    Node *node = new_node(b, NODE_OTHER, cursor, count);
    uint32_t at = 0, n = 0;
    clang_Type_visitFields(type, collect_field, &fields);
    for (uint32_t i = 0; i < count; i++, at++) {
        CXCursor child = b->stack.data[first + i], field = designated(child);
        if (!clang_Cursor_isNull(field)) at = find_field(&fields, field);
        Node *value = build(b, child);
        if (!value) continue;
        if (value->kind == NODE_OTHER && value->count == 1 && !clang_Cursor_isNull(field)) value = value->kids[0];
        Node *initial = new_node(b, NODE_INITIAL, child, 1);
        initial->number = at < fields.len ? number_of_field(b, fields.data[at]) : UINT32_MAX;
        initial->kids[0] = value;
        node->kids[n++] = initial;
    }
    node->count = n;
    vec_release(&fields);
    return node;
}

static Node *build_list(Builder *b, CXCursor cursor, uint32_t first, uint32_t count)
{
    CXType type = declare__strip(clang_getCursorType(cursor));
    bool is_struct = b->body && type.kind == CXType_Record && clang_getCursorKind(clang_getTypeDeclaration(type)) == CXCursor_StructDecl;
    return is_struct ? build_struct(b, cursor, type, first, count) : build_plain(b, cursor, first, count);
}

/* ---- statements ---- */

/* libclang leaves out the parts of a `for` that are missing; what they look like tells which there are. */
static bool looks_like_condition(const Node *node)
{
    return node->kind != NODE_ASSIGN && node->kind != NODE_UPDATE && node->kind != NODE_STEP && node->kind != NODE_DECLARE &&
           node->kind != NODE_CALL && !(node->kind == NODE_BINARY && node->op == CXBinaryOperator_Comma) && node->kind != NODE_OTHER;
}

static void sort_for(Node *loop, Node **kids, uint32_t count)
{
    loop->kids[3] = kids[count - 1];
    if (count == 4) {
        loop->kids[1] = kids[0], loop->kids[0] = kids[1], loop->kids[2] = kids[2];
        return;
    }
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (!loop->kids[0] && looks_like_condition(kids[i])) loop->kids[0] = kids[i];
        else loop->kids[i == 0 && !loop->kids[0] ? 1 : 2] = kids[i];
    }
}

static Node *build_loop(Builder *b, CXCursor cursor, uint32_t first, uint32_t count)
{
    Node *loop = new_node(b, NODE_LOOP, cursor, 4), *kids[4];
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    uint32_t n = 0;
    for (uint32_t i = 0; i < count && n < 4; i++)
        if ((kids[n] = build(b, b->stack.data[first + i]))) n++;
    if (n == 0) return NULL;
    if (kind == CXCursor_ForStmt) sort_for(loop, kids, n);
    else if (n == 2) loop->kids[0] = kids[kind == CXCursor_DoStmt], loop->kids[3] = kids[kind != CXCursor_DoStmt];
    return loop;
}

static Node *build_variable(Builder *b, CXCursor cursor)
{
    if (!b->body) return NULL;
    CXCursor initializer = clang_Cursor_getVarDeclInitializer(cursor);
    Node *value = clang_Cursor_isNull(initializer) ? NULL : build(b, initializer);
    Node *node = new_node(b, NODE_DECLARE, cursor, value ? 1 : 0);
    node->number = variable_of(b, cursor);
    if (value) node->kids[0] = value;
    return node;
}

static Node *build_constant(Builder *b, CXCursor cursor)
{
    Node *node = new_node(b, NODE_OTHER, cursor, 0);
    if (evaluate(cursor, &node->value)) node->kind = NODE_CONSTANT;
    node->is_character = clang_getCursorKind(cursor) == CXCursor_CharacterLiteral;
    return node;
}

static Node *build_with_children(Builder *b, CXCursor cursor)
{
    uint32_t first = b->stack.len;
    clang_visitChildren(cursor, collect, &b->stack);
    uint32_t count = b->stack.len - first;
    Node *node;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_UnexposedExpr: node = build_unexposed(b, cursor, first, count); break;
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr: node = count ? build_conversion(b, cursor, vec_top(&b->stack)) : NULL; break;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt: node = build_loop(b, cursor, first, count); break;
    case CXCursor_InitListExpr: node = build_list(b, cursor, first, count); break;
    default: node = build_plain(b, cursor, first, count);
    }
    b->stack.len = first;
    return node;
}

static Node *build(Builder *b, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    switch (kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral: return build_constant(b, cursor);
    case CXCursor_StringLiteral:
    case CXCursor_FloatingLiteral: return new_node(b, NODE_OTHER, cursor, 0);
    case CXCursor_UnaryExpr: return new_node(b, NODE_SIZEOF, cursor, 0);
    case CXCursor_DeclRefExpr: return build_name(b, cursor);
    case CXCursor_CXXNullPtrLiteralExpr: return new_node(b, NODE_CONSTANT, cursor, 0);
    case CXCursor_VarDecl: return build_variable(b, cursor);
    default: break;
    }
    if (clang_isDeclaration(kind) || clang_isReference(kind) || clang_isAttribute(kind) || b->depth >= DEPTH_MOST) return NULL;
    b->depth++;
    Node *node = build_with_children(b, cursor);
    b->depth--;
    return node;
}

/* ---- functions ---- */

static void add_params(Builder *b, CXCursor definition)
{
    const CFunction *function = &b->d->functions.data[b->body->function];
    for (uint32_t i = 0; i < function->param_count; i++) {
        CTypeKind kind = function->params[i].type->kind;
        Variable variable = {.kind = VARIABLE_PARAM, .number = i, .is_integer = is_integer(function->params[i].type)};
        if (kind == C_POINTER && i < ROOT_MOST) variable.roots = variable.copies = (RootSet)1 << i;
        if (variable.is_integer && i < ROOT_MOST) variable.numbers = (NumberSet)1 << i;
        add_variable(b, clang_Cursor_getArgument(definition, i), variable);
    }
}

void declare__describe_root(Root *root, const CType *pointer)
{
    root->use.length = -1;
    if (pointer->kind != C_POINTER && pointer->kind != C_ARRAY) return;
    const CType *of = pointer->of;
    root->is_char = of->kind == C_CHAR;
    root->is_plain_char = of->kind == C_CHAR && (of->is_signed || strcmp(of->plain, "char") == 0);
    root->is_const = of->is_const;
    root->is_void = of->kind == C_VOID;
    root->size = of->size ? of->size : 1;
}

static void describe_roots(Builder *b)
{
    Facts *facts = facts_of(b);
    const CFunction *function = &b->d->functions.data[b->body->function];
    facts->roots = arena_alloc(&b->d->arena, facts->root_count * sizeof *facts->roots);
    for (uint32_t i = 0; i < facts->root_count; i++) {
        bool is_param = i < facts->param_roots;
        uint32_t number = is_param ? 0 : facts->origins[i].number;
        if (is_param) declare__describe_root(&facts->roots[i], function->params[i].type);
        else if (facts->origins[i].is_field) declare__describe_field(&b->d->fields.data[number], &facts->roots[i]);
        else declare__describe_root(&facts->roots[i], b->d->globals.data[facts->globals.data[number].global].type);
    }
}

/* What a parameter declared as an array says of its length: a constant, or another parameter. */
static void read_array_params(Builder *b, CXCursor definition)
{
    Facts *facts = facts_of(b);
    for (uint32_t i = 0; i < facts->param_roots; i++) {
        CXCursor param = clang_Cursor_getArgument(definition, i);
        CXType type = declare__strip(clang_getCursorType(param));
        if (type.kind == CXType_ConstantArray)
            facts->roots[i].use.reach = facts->roots[i].use.declared = (uint64_t)clang_getArraySize(type);
        if (type.kind != CXType_VariableArray) continue;
        uint32_t first = b->stack.len;
        clang_visitChildren(param, collect, &b->stack);
        for (uint32_t k = first; k < b->stack.len; k++) {
            bool is_expression = clang_isExpression(clang_getCursorKind(b->stack.data[k]));
            Node *size = is_expression ? build(b, b->stack.data[k]) : NULL;
            NumberSet numbers = size ? declare__numbers(b->body, size) : 0;
            for (uint32_t n = 0; n < facts->param_roots; n++)
                if (numbers >> n & 1) facts->roots[i].score[n] = SCORE_SURE;
            if (is_expression) break; /* of several dimensions the first */
        }
        b->stack.len = first;
    }
}

static enum CXChildVisitResult find_compound(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_CompoundStmt) return CXChildVisit_Continue;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

void declare__build_body(Declarer *d, uint32_t function, CXCursor definition)
{
    CXCursor compound = clang_getNullCursor();
    clang_visitChildren(definition, find_compound, &compound);
    if (clang_Cursor_isNull(compound)) return;
    Body body = {.function = function};
    Facts *facts = &d->facts.data[function];
    uint32_t params = d->functions.data[function].param_count;
    facts->analysed = true;
    facts->param_roots = facts->root_count = facts->number_count = params < ROOT_MOST ? params : ROOT_MOST;
    facts->origins = arena_alloc(&d->arena, ROOT_MOST * sizeof *facts->origins);
    facts->number_fields = arena_alloc(&d->arena, ROOT_MOST * sizeof *facts->number_fields);
    Builder b = {.d = d, .body = &body};
    add_params(&b, definition);
    body.root = build(&b, compound);
    describe_roots(&b);
    read_array_params(&b, definition);
    vec_release(&b.stack);
    vec_push(&d->bodies, body);
}

void declare__visit_initializer(Declarer *d, uint32_t global, CXCursor initializer)
{
    Builder b = {.d = d, .global = global};
    d->globals.data[global].initialised = true;
    build(&b, initializer);
    vec_release(&b.stack);
}
