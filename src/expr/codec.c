/* Expressions as bytes.
 *
 *   mark (2 bytes), nodes, a 0 byte, number of roots, roots
 *
 * The mark is a hash of the list of kinds, so that bytes written by a Clew with other kinds are refused.  A node is its kind and then what
 * the kind needs; every node stands after its operands, which are given by their distance back.  Numbers are LEB128 (7 bits a byte, the
 * lowest first).  A root is its distance back from the end of the nodes; 0 is no expression.
 *
 * The reader trusts nothing: a node is made only after its kind, widths and operands have been found to be what the constructor requires,
 * and nothing is allocated that the number of bytes does not explain.  After the first fault everything reads as 0. */
#include "expr/expr_int.h"

enum { MARK_BYTES = 2, ROOM = 1 << 20 /* nodes that one constructor may make at most, generously */ };

static uint16_t kinds_mark(void)
{
    uint64_t hash = EXPR_KINDS;
    for (unsigned kind = 0; kind < EXPR_KINDS; kind++) {
        const char *name = expr_kind_name((ExprKind)kind);
        hash = hash_mix(hash ^ hash_bytes(name, strlen(name)));
    }
    return (uint16_t)hash;
}

/* Kinds whose width is not told by their operands. */
static bool has_width(ExprKind kind)
{
    switch (kind) {
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_UNDEF:
    case EXPR_EXTRACT:
    case EXPR_ZEXT:
    case EXPR_SEXT:
    case EXPR_FCONVERT:
    case EXPR_FTOSI:
    case EXPR_FTOUI:
    case EXPR_SITOF:
    case EXPR_UITOF:
    case EXPR_ARRAY:
    case EXPR_APPLY: return true;
    default: return false;
    }
}

static bool is_list(ExprKind kind)
{
    return kind == EXPR_ARRAY || kind == EXPR_APPLY;
}

static bool is_array(const ExprPool *pool, Expr e)
{
    return is_kind(pool, e, EXPR_ARRAY) || is_kind(pool, e, EXPR_STORE);
}

/* ---- writing ---- */

typedef struct Writer {
    const ExprPool *pool;
    StrBuf *out;
    Map numbers;    /* of the nodes written */
    uint32_t count; /* of them */
    Vec(Expr) work;
} Writer;

static void put_byte(StrBuf *out, unsigned byte)
{
    char c = (char)byte;
    strbuf_add_bytes(out, &c, 1);
}

static void put_number(StrBuf *out, U128 value)
{
    for (; value >= 0x80; value >>= 7) put_byte(out, 0x80 | (unsigned)(value & 0x7f));
    put_byte(out, (unsigned)value);
}

static void put_text(StrBuf *out, const char *text)
{
    size_t n = strlen(text);
    put_number(out, n);
    strbuf_add_bytes(out, text, n);
}

static void put_operand(Writer *writer, Expr e)
{
    const uint64_t *number = map_find(&writer->numbers, e);
    assert(number && *number < writer->count);
    put_number(writer->out, writer->count - *number);
}

static void put_node(Writer *writer, Expr e)
{
    const ExprPool *pool = writer->pool;
    const Node *node = expr__node(pool, e);
    put_byte(writer->out, node->kind);
    if (has_width(node->kind)) put_byte(writer->out, node->width);
    switch (node->kind) {
    case EXPR_CONST: put_number(writer->out, node_value(node)); break;
    case EXPR_VAR: put_text(writer->out, expr_var_name(pool, e)); break;
    case EXPR_EXTRACT: put_number(writer->out, node->b); break;
    case EXPR_APPLY: put_text(writer->out, expr_function(pool, e)->name); break;
    default: break;
    }
    for (unsigned i = 0; i < expr_operand_count(node->kind); i++) put_operand(writer, expr_operand(pool, e, i));
    if (is_list(node->kind)) {
        put_number(writer->out, node->b);
        for (uint32_t i = 0; i < node->b; i++) put_operand(writer, pool->elements[node->a + i]);
    }
    map_put(&writer->numbers, e, writer->count++);
}

static void want(Writer *writer, Expr e)
{
    if (!map_find(&writer->numbers, e)) vec_push(&writer->work, e);
}

/* All that e needs and e itself, operands from left to right. */
static void put_tree(Writer *writer, Expr e)
{
    const ExprPool *pool = writer->pool;
    want(writer, e);
    while (writer->work.len) {
        Expr next = vec_top(&writer->work);
        const Node *node = expr__node(pool, next);
        uint32_t before = writer->work.len;
        if (!map_find(&writer->numbers, next)) {
            if (is_list(node->kind))
                for (uint32_t i = node->b; i-- > 0;) want(writer, pool->elements[node->a + i]);
            for (unsigned i = expr_operand_count(node->kind); i-- > 0;) want(writer, expr_operand(pool, next, i));
            if (writer->work.len > before) continue;
            put_node(writer, next);
        }
        (void)vec_pop(&writer->work);
    }
}

void expr_encode(const ExprPool *pool, const Expr *roots, uint32_t count, StrBuf *bytes)
{
    Writer writer = {.pool = pool, .out = bytes};
    uint16_t mark = kinds_mark();
    put_byte(bytes, mark & 0xff);
    put_byte(bytes, mark >> 8);
    for (uint32_t i = 0; i < count; i++) {
        if (!roots[i]) continue;
        REQUIRE(roots[i] < pool->count && !is_array(pool, roots[i]), "a root is a value of this pool");
        put_tree(&writer, roots[i]);
    }
    put_byte(bytes, EXPR_NONE);
    put_number(bytes, count);
    for (uint32_t i = 0; i < count; i++) {
        if (roots[i]) put_operand(&writer, roots[i]);
        else put_number(bytes, 0);
    }
    map_release(&writer.numbers);
    vec_release(&writer.work);
}

/* ---- reading ---- */

typedef struct Reader {
    const unsigned char *at, *end;
    bool bad; /* nothing is read any more */
    ExprPool *pool;
    const ExprDecode *how;
    Vec(Expr) nodes;
    uint32_t vars;
    Vec(Expr) list;
    StrBuf name;
} Reader;

static void spoil(Reader *in)
{
    in->bad = true;
    in->at = in->end;
}

/* Is that so?  If not, the bytes are bad. */
static bool holds(Reader *in, bool condition)
{
    if (!condition) spoil(in);
    return !in->bad;
}

static unsigned get_byte(Reader *in)
{
    if (in->at < in->end) return *in->at++;
    spoil(in);
    return 0;
}

static U128 get_number(Reader *in, U128 limit)
{
    U128 value = 0;
    for (unsigned shift = 0;; shift += 7) {
        unsigned byte = get_byte(in);
        U128 part = byte & 0x7f;
        if (!holds(in, shift < 128 && (part << shift) >> shift == part)) return 0;
        value |= part << shift;
        if (!(byte & 0x80)) break;
    }
    return holds(in, value <= limit) ? value : 0;
}

static size_t left(const Reader *in)
{
    return (size_t)(in->end - in->at);
}

/* Valid until the next text; NULL: there is none. */
static const char *get_text(Reader *in)
{
    size_t n = (size_t)get_number(in, left(in));
    if (!holds(in, n <= left(in) && !memchr(in->at, 0, n))) return NULL;
    strbuf_clear(&in->name);
    strbuf_add_bytes(&in->name, in->at, n);
    in->at += n;
    return in->name.text;
}

static unsigned get_width(Reader *in)
{
    unsigned width = get_byte(in);
    return holds(in, width >= 1 && width <= 128) ? width : 1;
}

/* A node read before, of the wanted sort; 0 where there is none such. */
static Expr get_operand(Reader *in, bool array)
{
    uint32_t back = (uint32_t)get_number(in, in->nodes.len);
    if (!holds(in, back > 0)) return 0;
    Expr e = vec_at(&in->nodes, in->nodes.len - back);
    return holds(in, is_array(in->pool, e) == array) ? e : 0;
}

static bool is_float(unsigned width)
{
    return width == 32 || width == 64 || width == 80;
}

static Expr get_var(Reader *in, unsigned width)
{
    const char *name = get_text(in);
    if (!name) return 0;
    uint32_t number = in->vars++;
    Expr e = in->how->variable ? in->how->variable(in->how->data, number, width, name) : expr_var(in->pool, width, name);
    return holds(in, e && e < in->pool->count && !is_array(in->pool, e) && width_of(in->pool, e) == width) ? e : 0;
}

/* The elements of an array (width is theirs) or the arguments of a function (width is 0). */
static bool get_list(Reader *in, unsigned width)
{
    uint32_t count = (uint32_t)get_number(in, left(in) < ID_LIMIT ? left(in) : ID_LIMIT);
    if (!holds(in, (uint64_t)count + in->pool->element_count + ROOM < ID_LIMIT)) return false;
    vec_clear(&in->list);
    for (uint32_t i = 0; i < count && !in->bad; i++) {
        Expr e = get_operand(in, false);
        if (e) holds(in, !width || width_of(in->pool, e) == width);
        vec_push(&in->list, e);
    }
    return !in->bad;
}

static Expr get_array(Reader *in, unsigned width)
{
    return get_list(in, width) ? expr_array(in->pool, width, in->list.data, in->list.len) : 0;
}

static Expr get_apply(Reader *in, unsigned width)
{
    const char *name = get_text(in);
    const ExprFunction *function = name && in->how->function ? in->how->function(in->how->data, name) : NULL;
    if (!holds(in, function) || !get_list(in, 0)) return 0;
    if (in->how->applies && !holds(in, in->how->applies(in->how->data, function, width, in->list.data, in->list.len))) return 0;
    return expr_apply(in->pool, function, width, in->list.data, in->list.len);
}

static Expr get_extract(Reader *in, unsigned width)
{
    unsigned low = (unsigned)get_number(in, 127);
    Expr a = get_operand(in, false);
    return a && holds(in, low + width <= width_of(in->pool, a)) ? expr_extract(in->pool, a, low, width) : 0;
}

static Expr get_extension(Reader *in, ExprKind kind, unsigned width)
{
    Expr a = get_operand(in, false);
    if (!a || !holds(in, width >= width_of(in->pool, a))) return 0;
    return kind == EXPR_ZEXT ? expr_zext(in->pool, a, width) : expr_sext(in->pool, a, width);
}

static Expr get_conversion(Reader *in, ExprKind kind, unsigned width)
{
    Expr a = get_operand(in, false);
    bool from_float = kind != EXPR_SITOF && kind != EXPR_UITOF, to_float = kind != EXPR_FTOSI && kind != EXPR_FTOUI;
    if (!a || !holds(in, (!from_float || is_float(width_of(in->pool, a))) && (!to_float || is_float(width)))) return 0;
    return expr_convert(in->pool, kind, a, width);
}

static Expr get_unary(Reader *in, ExprKind kind)
{
    Expr a = get_operand(in, false);
    return a && holds(in, kind != EXPR_FSQRT || is_float(width_of(in->pool, a))) ? expr_unary(in->pool, kind, a) : 0;
}

static Expr get_binary(Reader *in, ExprKind kind)
{
    Expr a = get_operand(in, false), b = get_operand(in, false);
    if (in->bad) return 0;
    unsigned x = width_of(in->pool, a), y = width_of(in->pool, b);
    bool fits = kind == EXPR_CONCAT ? x + y <= 128 : x == y;
    if (kind >= EXPR_FADD && kind <= EXPR_FUNO) fits = fits && is_float(x);
    return holds(in, fits) ? expr_binary(in->pool, kind, a, b) : 0;
}

static Expr get_ite(Reader *in)
{
    Expr condition = get_operand(in, false), yes = get_operand(in, false), no = get_operand(in, false);
    if (in->bad || !holds(in, width_of(in->pool, condition) == 1 && width_of(in->pool, yes) == width_of(in->pool, no))) return 0;
    return expr_ite(in->pool, condition, yes, no);
}

static Expr get_access(Reader *in, ExprKind kind)
{
    Expr array = get_operand(in, true), index = get_operand(in, false), element = kind == EXPR_STORE ? get_operand(in, false) : 0;
    if (in->bad || !holds(in, width_of(in->pool, index) == 64)) return 0;
    if (kind == EXPR_SELECT) return expr_select(in->pool, array, index);
    return holds(in, width_of(in->pool, element) == width_of(in->pool, array)) ? expr_store(in->pool, array, index, element) : 0;
}

static Expr get_node(Reader *in, ExprKind kind)
{
    unsigned width = has_width(kind) ? get_width(in) : 0;
    U128 value;
    if (!holds(in, in->pool->count < ID_LIMIT - ROOM)) return 0;
    switch (kind) {
    case EXPR_CONST: value = get_number(in, arith_mask(width)); return in->bad ? 0 : expr_const(in->pool, width, value);
    case EXPR_VAR: return get_var(in, width);
    case EXPR_UNDEF: return expr_undef(in->pool, width);
    case EXPR_EXTRACT: return get_extract(in, width);
    case EXPR_ZEXT:
    case EXPR_SEXT: return get_extension(in, kind, width);
    case EXPR_FCONVERT:
    case EXPR_FTOSI:
    case EXPR_FTOUI:
    case EXPR_SITOF:
    case EXPR_UITOF: return get_conversion(in, kind, width);
    case EXPR_ITE: return get_ite(in);
    case EXPR_ARRAY: return get_array(in, width);
    case EXPR_STORE:
    case EXPR_SELECT: return get_access(in, kind);
    case EXPR_APPLY: return get_apply(in, width);
    default: return expr_operand_count(kind) == 1 ? get_unary(in, kind) : get_binary(in, kind);
    }
}

static void get_roots(Reader *in, Expr *roots, uint32_t count)
{
    if (!holds(in, get_number(in, UINT32_MAX) == count)) return;
    for (uint32_t i = 0; i < count && !in->bad; i++) {
        uint32_t back = (uint32_t)get_number(in, in->nodes.len);
        if (in->bad || !back) continue;
        roots[i] = vec_at(&in->nodes, in->nodes.len - back);
        holds(in, !is_array(in->pool, roots[i]));
    }
}

bool expr_decode(ExprPool *pool, const void *bytes, size_t n, size_t *used, Expr *roots, uint32_t count, const ExprDecode *how)
{
    static const ExprDecode plain = {0};
    const unsigned char *start = bytes;
    Reader in = {.at = start, .end = start + n, .pool = pool, .how = how ? how : &plain};
    uint16_t mark = kinds_mark();
    for (uint32_t i = 0; i < count; i++) roots[i] = 0;
    holds(&in, n > MARK_BYTES && get_byte(&in) == (mark & 0xff) && get_byte(&in) == mark >> 8);
    while (!in.bad) {
        unsigned kind = get_byte(&in);
        if (!holds(&in, kind < EXPR_KINDS) || kind == EXPR_NONE) break;
        Expr e = get_node(&in, (ExprKind)kind);
        assert(in.bad == !e);
        if (e) vec_push(&in.nodes, e);
    }
    get_roots(&in, roots, count);
    *used = (size_t)(in.at - start);
    for (uint32_t i = 0; i < count && in.bad; i++) roots[i] = 0;
    vec_release(&in.nodes);
    vec_release(&in.list);
    strbuf_release(&in.name);
    return !in.bad;
}
