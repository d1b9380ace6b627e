/* Reader of the logs that smtlib.c writes.  It knows the commands and operators that occur there and no others.
 *
 * Terms are read with a stack of open brackets and a stack of values, without recursion: a table is as deep as it has elements.  A value has
 * a sort besides its expression, since a float and its bits are the same expression in Clew.  Functions clew.… are read by name; their definitions
 * are skipped.  (= ((_ to_fp …) bits!7) f!7) only says what bits!7 is, which its declaration has said already. */
#include "solve/smtlib.h"
#include "base/arith.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum Sort { BITS, FLOAT, ARRAY, TABLE, ROUNDING, BINDING, FUNCTION } Sort;

typedef struct Value {
    Sort sort;
    Expr e;         /* 0: contains a function that is not there */
    unsigned width; /* of BITS, FLOAT, and of the elements of ARRAY and TABLE, of the result of FUNCTION */
    const ExprFunction *function;
} Value;

typedef struct Head { /* what an open bracket applies: an operator and its numbers, or a function */
    char name[64];
    uint64_t numbers[2];
    unsigned number_count;
    int function;   /* place in bindings, or -1 */
    uint32_t first; /* its first operand in values */
} Head;

typedef struct Read {
    const SmtReader *reader;
    ExprPool *pool;
    const char *path, *text, *end;
    unsigned line;
    Error *error;
    char *token; /* the last one; its text without bars */
    size_t token_size;
    bool quoted;
    NameMap names; /* -> bindings */
    Vec(Value) bindings, values;
    Vec(Head) heads;
    Vec(Expr) elements;    /* of the table being read */
    Vec(Expr) assumptions; /* of the check being read */
    uint32_t open_levels;  /* pushed, nothing asserted on them yet */
    uint64_t expected;     /* assumptions of the next check, if a check is being read */
    bool in_check;
    SolveAnswer recorded;
} Read;

static Status complain(Read *read, const char *what)
{
    return fail(read->error, "%s:%u: %s%s%s", read->path, read->line, what, read->token[0] ? " at " : "", read->token);
}

/* ---- tokens ---- */

static void skip_space(Read *read)
{
    for (; read->text < read->end; read->text++) {
        if (*read->text == ';')
            while (read->text < read->end && *read->text != '\n') read->text++;
        if (read->text == read->end || !strchr(" \t\r\n", *read->text)) return;
        if (*read->text == '\n') read->line++;
    }
}

static void keep_token(Read *read, const char *start, size_t length)
{
    assert(read->token);
    if (length + 1 > read->token_size) {
        read->token_size = 2 * length + 64;
        read->token = mem_resize(read->token, read->token_size);
    }
    memcpy(read->token, start, length);
    read->token[length] = 0;
}

/* The next token into read->token: a bracket, or a word; empty at the end. */
static void next(Read *read)
{
    skip_space(read);
    const char *start = read->text;
    read->quoted = false;
    if (start == read->end) {
        keep_token(read, "", 0);
    } else if (*start == '(' || *start == ')') {
        keep_token(read, read->text++, 1);
    } else if (*start == '|') {
        const char *close = memchr(start + 1, '|', (size_t)(read->end - start - 1));
        read->text = close ? close + 1 : read->end;
        read->quoted = true;
        keep_token(read, start + 1, (size_t)((close ? close : read->end) - start - 1));
    } else {
        while (read->text < read->end && !strchr("() \t\r\n;|", *read->text)) read->text++;
        keep_token(read, start, (size_t)(read->text - start));
    }
}

static bool is(const Read *read, const char *text)
{
    return !read->quoted && !strcmp(read->token, text);
}

static Status expect(Read *read, const char *text)
{
    next(read);
    if (is(read, text)) return OK;
    return fail(read->error, "%s:%u: '%s' expected, not '%s'", read->path, read->line, text, read->token);
}

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static Status read_number(Read *read, uint64_t *number)
{
    char *rest;
    next(read);
    errno = 0;
    *number = strtoull(read->token, &rest, 10);
    return read->token[0] && !*rest && !errno ? OK : complain(read, "number expected");
}

/* Goes on to the bracket that closes the one that is open. */
static Status skip_rest(Read *read)
{
    for (unsigned depth = 1; depth > 0;) {
        next(read);
        if (!read->token[0] && !read->quoted) return complain(read, "the log ends inside a command");
        if (is(read, "(")) depth++;
        if (is(read, ")")) depth--;
    }
    return OK;
}

/* ---- sorts ---- */

static Status read_width(Read *read, unsigned *width)
{
    uint64_t number;
    if (read_number(read, &number) != OK) return FAILED;
    if (number < 1 || number > 128) return complain(read, "no such width");
    *width = (unsigned)number;
    return OK;
}

/* After the bracket of (_ BitVec 8) or (_ FloatingPoint 8 24). */
static Status read_indexed_sort(Read *read, Value *value)
{
    next(read);
    if (is(read, "BitVec")) {
        value->sort = BITS;
        if (read_width(read, &value->width) != OK) return FAILED;
    } else if (is(read, "FloatingPoint")) {
        uint64_t exponent, digits;
        if (read_number(read, &exponent) != OK || read_number(read, &digits) != OK) return FAILED;
        value->sort = FLOAT;
        value->width = (unsigned)(exponent + digits);
        if (value->width != 32 && value->width != 64) return complain(read, "no such float");
    } else {
        return complain(read, "unknown sort");
    }
    return expect(read, ")");
}

static Status read_sort(Read *read, Value *value)
{
    *value = (Value){.sort = BITS, .width = 1};
    next(read);
    if (is(read, "Bool")) return OK;
    if (!is(read, "(")) return complain(read, "sort expected");
    next(read);
    if (is(read, "_")) return read_indexed_sort(read, value);
    if (!is(read, "Array")) return complain(read, "unknown sort");
    Value index;
    if (read_sort(read, &index) != OK) return FAILED;
    if (index.sort != BITS || index.width != 64) return complain(read, "an index has 64 bits");
    if (read_sort(read, value) != OK) return FAILED;
    if (value->sort != BITS) return complain(read, "elements are bit-vectors");
    value->sort = ARRAY;
    return expect(read, ")");
}

/* ---- operators ---- */

typedef struct Operator {
    const char *name;
    ExprKind kind;
} Operator;

static const Operator operators[] = {
    {"bvadd", EXPR_ADD},
    {"bvsub", EXPR_SUB},
    {"bvmul", EXPR_MUL},
    {"bvudiv", EXPR_UDIV},
    {"bvsdiv", EXPR_SDIV},
    {"bvurem", EXPR_UREM},
    {"bvsrem", EXPR_SREM},
    {"bvshl", EXPR_SHL},
    {"bvlshr", EXPR_LSHR},
    {"bvashr", EXPR_ASHR},
    {"bvand", EXPR_AND},
    {"bvor", EXPR_OR},
    {"bvxor", EXPR_XOR},
    {"bvnot", EXPR_NOT},
    {"=", EXPR_EQ},
    {"bvult", EXPR_ULT},
    {"bvule", EXPR_ULE},
    {"bvslt", EXPR_SLT},
    {"bvsle", EXPR_SLE},
    {"concat", EXPR_CONCAT},
    {"and", EXPR_AND},
    {"or", EXPR_OR},
    {"xor", EXPR_XOR},
    {"not", EXPR_NOT},
    {"ite", EXPR_ITE},
    {"fp.add", EXPR_FADD},
    {"fp.sub", EXPR_FSUB},
    {"fp.mul", EXPR_FMUL},
    {"fp.div", EXPR_FDIV},
    {"fp.sqrt", EXPR_FSQRT},
    {"fp.eq", EXPR_FEQ},
    {"fp.lt", EXPR_FLT},
    {"fp.leq", EXPR_FLE},
    {"extract", EXPR_EXTRACT},
    {"zero_extend", EXPR_ZEXT},
    {"sign_extend", EXPR_SEXT},
    {"to_fp_unsigned", EXPR_UITOF},
};

static ExprKind find_operator(const char *name)
{
    for (unsigned i = 0; i < COUNT_OF(operators); i++)
        if (!strcmp(operators[i].name, name)) return operators[i].kind;
    return EXPR_NONE;
}

/* clew.KIND.NUMBER[.NUMBER] */
static ExprKind find_helper(const Head *head, unsigned *width)
{
    char name[32];
    unsigned first = 0, second = 0;
    if (sscanf(head->name, "clew.%31[a-z].%u.%u", name, &first, &second) < 2) return EXPR_NONE;
    *width = second;
    for (ExprKind kind = 0; kind < EXPR_KINDS; kind++)
        if (!strcmp(expr_kind_name(kind), name)) return kind;
    return EXPR_NONE;
}

static bool has_operator_width(unsigned width)
{
    return width == 32 || width == 64 || width == 80;
}

static bool is_arithmetic(ExprKind kind)
{
    return kind >= EXPR_ADD && kind <= EXPR_XOR;
}

static bool is_comparison(ExprKind kind)
{
    return kind >= EXPR_EQ && kind <= EXPR_SLE;
}

static bool is_float_arithmetic(ExprKind kind)
{
    return kind >= EXPR_FADD && kind <= EXPR_FREM;
}

static bool is_float_comparison(ExprKind kind)
{
    return kind >= EXPR_FEQ && kind <= EXPR_FUNO;
}

/* The result of a kind of two operands; false if they do not fit. */
static bool apply_two(Read *read, ExprKind kind, Value a, Value b, Value *result)
{
    bool floats = is_float_arithmetic(kind) || is_float_comparison(kind);
    if (kind == EXPR_EQ && a.sort == FLOAT && b.sort == FLOAT) {
        *result = (Value){.sort = BINDING};
        return true;
    }
    if (a.sort > FLOAT || b.sort > FLOAT || (!floats && (a.sort != BITS || b.sort != BITS))) return false;
    if (kind == EXPR_CONCAT) {
        if (a.width + b.width > 128) return false;
        result->width = a.width + b.width;
    } else {
        if (a.width != b.width || (floats && !has_operator_width(a.width))) return false;
        if (!floats && !is_arithmetic(kind) && !is_comparison(kind)) return false;
        result->width = is_comparison(kind) || is_float_comparison(kind) ? 1 : a.width;
    }
    result->sort = is_float_arithmetic(kind) && kind != EXPR_FREM && a.width != 80 ? FLOAT : BITS;
    result->e = a.e && b.e ? expr_binary(read->pool, kind, a.e, b.e) : 0;
    return true;
}

static bool apply_one(Read *read, ExprKind kind, Value a, Value *result)
{
    if (a.sort > FLOAT) return false;
    if (kind == EXPR_FSQRT && !has_operator_width(a.width)) return false;
    if (kind != EXPR_NOT && kind != EXPR_CTPOP && kind != EXPR_CTLZ && kind != EXPR_CTTZ && kind != EXPR_FSQRT) return false;
    *result = (Value){.sort = kind == EXPR_FSQRT && a.width != 80 ? FLOAT : BITS, .width = a.width};
    result->e = a.e ? expr_unary(read->pool, kind, a.e) : 0;
    return true;
}

static bool apply_convert(Read *read, ExprKind kind, Value a, unsigned width, Value *result)
{
    bool from_float = kind == EXPR_FCONVERT || kind == EXPR_FTOSI || kind == EXPR_FTOUI;
    bool to_float = kind == EXPR_FCONVERT || kind == EXPR_SITOF || kind == EXPR_UITOF;
    if (a.sort > FLOAT || (!from_float && !to_float) || (from_float && !has_operator_width(a.width))) return false;
    if (to_float ? !has_operator_width(width) : width < 1 || width > 128) return false;
    *result = (Value){.sort = to_float && width != 80 && a.width != 80 ? FLOAT : BITS, .width = width};
    result->e = a.e ? expr_convert(read->pool, kind, a.e, width) : 0;
    return true;
}

/* (_ extract 7 0), (_ zero_extend 24): the numbers are in the head. */
static bool apply_indexed(Read *read, ExprKind kind, const Head *head, Value a, Value *result)
{
    uint64_t first = head->numbers[0], low = head->numbers[1];
    if (a.sort != BITS) return false;
    if (kind == EXPR_EXTRACT) {
        if (head->number_count != 2 || first >= a.width || low > first) return false;
        *result = (Value){.sort = BITS, .width = (unsigned)(first - low + 1)};
        result->e = a.e ? expr_extract(read->pool, a.e, (unsigned)low, result->width) : 0;
        return true;
    }
    if (head->number_count != 1 || first > 128 || a.width + first > 128) return false;
    *result = (Value){.sort = BITS, .width = a.width + (unsigned)first};
    if (a.e) result->e = kind == EXPR_ZEXT ? expr_zext(read->pool, a.e, result->width) : expr_sext(read->pool, a.e, result->width);
    return true;
}

/* (_ to_fp 8 24) of bits: the same expression, now a float; of a rounding mode and something else: a conversion. */
static bool apply_to_fp(Read *read, ExprKind kind, const Head *head, const Value *operands, uint32_t count, Value *result)
{
    uint64_t width = head->numbers[0] + head->numbers[1];
    if (head->number_count != 2 || (width != 32 && width != 64)) return false;
    if (kind == EXPR_NONE && count == 1) {
        if (operands[0].sort != BITS || operands[0].width != width) return false;
        *result = (Value){.sort = FLOAT, .e = operands[0].e, .width = (unsigned)width};
        return true;
    }
    if (count != 2 || operands[0].sort != ROUNDING) return false;
    if (kind == EXPR_NONE) kind = operands[1].sort == FLOAT ? EXPR_FCONVERT : EXPR_SITOF;
    return apply_convert(read, kind, operands[1], (unsigned)width, result);
}

static bool apply_ite(Read *read, const Value *operands, Value *result)
{
    Value condition = operands[0], yes = operands[1], no = operands[2];
    if (condition.sort != BITS || condition.width != 1 || yes.sort != BITS || no.sort != BITS || yes.width != no.width) return false;
    *result = (Value){.sort = BITS, .width = yes.width};
    result->e = condition.e && yes.e && no.e ? expr_ite(read->pool, condition.e, yes.e, no.e) : 0;
    return true;
}

static bool apply_access(Read *read, ExprKind kind, const Value *operands, Value *result)
{
    Value array = operands[0], index = operands[1];
    if (array.sort != ARRAY || index.sort != BITS || index.width != 64) return false;
    *result = (Value){.sort = kind == EXPR_STORE ? ARRAY : BITS, .width = array.width};
    if (kind == EXPR_SELECT) {
        result->e = array.e && index.e ? expr_select(read->pool, array.e, index.e) : 0;
        return true;
    }
    Value element = operands[2];
    if (element.sort != BITS || element.width != array.width) return false;
    result->e = array.e && index.e && element.e ? expr_store(read->pool, array.e, index.e, element.e) : 0;
    return true;
}

static bool apply_helper(Read *read, const Head *head, const Value *operands, uint32_t count, Value *result)
{
    unsigned width = 0;
    ExprKind kind = find_helper(head, &width);
    if (kind == EXPR_SELECT || kind == EXPR_STORE)
        return count == (kind == EXPR_STORE ? 3 : 2) && apply_access(read, kind, operands, result);
    if (kind >= EXPR_FCONVERT && kind <= EXPR_UITOF) return count == 1 && apply_convert(read, kind, operands[0], width, result);
    return count == 2 ? apply_two(read, kind, operands[0], operands[1], result) : count == 1 && apply_one(read, kind, operands[0], result);
}

/* One more element of the table being read: (store table index element). */
static bool extend_table(Read *read, const Value *operands, Value *result)
{
    Value index = operands[1], element = operands[2];
    if (operands[0].sort != TABLE || index.sort != BITS || element.sort != BITS || element.width != operands[0].width) return false;
    if (!index.e || !expr_is_const(read->pool, index.e) || expr_value(read->pool, index.e) != read->elements.len) return false;
    *result = operands[0];
    if (!element.e) result->e = 0;
    vec_push(&read->elements, element.e);
    return true;
}

static bool apply_function(Read *read, Value function, const Value *operands, uint32_t count, Value *result)
{
    Vec(Expr) arguments = {0};
    bool present = function.function, fits = true;
    for (uint32_t i = 0; i < count; i++) {
        present &= operands[i].e != 0;
        fits &= operands[i].sort == BITS;
        vec_push(&arguments, operands[i].e);
    }
    *result = (Value){.sort = BITS, .width = function.width};
    if (fits && present) result->e = expr_apply(read->pool, function.function, function.width, arguments.data, count);
    vec_release(&arguments);
    return fits;
}

static bool apply(Read *read, const Head *head, const Value *operands, uint32_t count, Value *result)
{
    if (head->function >= 0) return apply_function(read, vec_at(&read->bindings, head->function), operands, count, result);
    if (starts(head->name, "clew.")) return apply_helper(read, head, operands, count, result);
    if (!strcmp(head->name, "to_fp")) return apply_to_fp(read, EXPR_NONE, head, operands, count, result);
    if (!strcmp(head->name, "store")) return count == 3 && extend_table(read, operands, result);
    if (!strcmp(head->name, "const")) {
        *result = (Value){.sort = TABLE, .e = 1, .width = (unsigned)head->numbers[0]};
        vec_clear(&read->elements);
        return count == 1;
    }
    ExprKind kind = find_operator(head->name);
    if (kind == EXPR_UITOF) return apply_to_fp(read, kind, head, operands, count, result);
    if (kind == EXPR_ITE) return count == 3 && apply_ite(read, operands, result);
    if (kind == EXPR_EXTRACT || kind == EXPR_ZEXT || kind == EXPR_SEXT)
        return count == 1 && apply_indexed(read, kind, head, operands[0], result);
    if (count > 0 && operands[0].sort == ROUNDING) operands++, count--;
    if (count == 1) return apply_one(read, kind, operands[0], result);
    return count == 2 && kind != EXPR_NONE && apply_two(read, kind, operands[0], operands[1], result);
}

/* ---- terms ---- */

static bool read_literal(Read *read, Value *value)
{
    const char *digits = read->token + 2;
    unsigned step = read->token[1] == 'x' ? 4 : 1, width = step * (unsigned)strlen(digits);
    U128 number = 0;
    if (read->token[1] != 'x' && read->token[1] != 'b') return false;
    if (width < 1 || width > 128) return false;
    for (; *digits; digits++) {
        const char *place = strchr("0123456789abcdef", *digits);
        if (!place || place - "0123456789abcdef" >= 1 << step) return false;
        number = number << step | (unsigned)(place - "0123456789abcdef");
    }
    *value = (Value){.sort = BITS, .width = width, .e = expr_const(read->pool, width, number)};
    return true;
}

/* A term of one word. */
static Status read_atom(Read *read, Value *value)
{
    if (!read->quoted && read->token[0] == '#') return read_literal(read, value) ? OK : complain(read, "not a bit-vector");
    if (is(read, "true") || is(read, "false")) {
        *value = (Value){.sort = BITS, .width = 1, .e = expr_const(read->pool, 1, is(read, "true"))};
        return OK;
    }
    if (is(read, "RNE")) {
        *value = (Value){.sort = ROUNDING};
        return OK;
    }
    uint32_t *place = names_find(&read->names, read->token);
    if (!place) return complain(read, "undeclared name");
    *value = vec_at(&read->bindings, *place);
    if (value->sort == FUNCTION && !apply_function(read, *value, NULL, 0, value)) return complain(read, "not a term");
    return OK;
}

static Status name_head(Read *read, Head *head)
{
    if (strlen(read->token) >= sizeof head->name) return complain(read, "unknown operator");
    strcpy(head->name, read->token);
    return OK;
}

/* After "((": _ extract 7 0), or as const SORT). */
static Status read_indexed_head(Read *read, Head *head)
{
    next(read);
    if (is(read, "as")) {
        Value sort;
        if (expect(read, "const") != OK || name_head(read, head) != OK || read_sort(read, &sort) != OK) return FAILED;
        if (sort.sort != ARRAY) return complain(read, "array expected");
        head->numbers[0] = sort.width;
        return expect(read, ")");
    }
    if (!is(read, "_")) return complain(read, "unknown operator");
    next(read);
    if (name_head(read, head) != OK) return FAILED;
    for (next(read); !is(read, ")"); next(read)) {
        char *rest;
        if (head->number_count == 2) return complain(read, "too many numbers");
        head->numbers[head->number_count++] = strtoull(read->token, &rest, 10);
        if (!read->token[0] || *rest) return complain(read, "number expected");
    }
    return OK;
}

/* After an opening bracket. */
static Status open_term(Read *read)
{
    Head head = {.function = -1, .first = read->values.len};
    next(read);
    if (is(read, "(")) {
        if (read_indexed_head(read, &head) != OK) return FAILED;
    } else {
        uint32_t *place = names_find(&read->names, read->token);
        if (place && vec_at(&read->bindings, *place).sort == FUNCTION) head.function = (int)*place;
        else if (read->quoted || name_head(read, &head) != OK) return complain(read, "unknown operator");
    }
    vec_push(&read->heads, head);
    return OK;
}

static Status close_term(Read *read)
{
    Head head = vec_pop(&read->heads);
    Value result = {0};
    uint32_t count = read->values.len - head.first;
    if (!apply(read, &head, read->values.data + head.first, count, &result)) {
        const char *name = head.function >= 0 ? "a function" : head.name;
        return fail(read->error, "%s:%u: operands that do not fit '%s'", read->path, read->line, name);
    }
    read->values.len = head.first;
    vec_push(&read->values, result);
    return OK;
}

static Status read_term(Read *read, Value *value)
{
    vec_clear(&read->values);
    vec_clear(&read->heads);
    do {
        Value atom;
        next(read);
        if (is(read, "(")) {
            if (open_term(read) != OK) return FAILED;
            continue;
        }
        if (is(read, ")")) {
            if (!read->heads.len) return complain(read, "term expected");
            if (close_term(read) != OK) return FAILED;
            continue;
        }
        if (!read->token[0] && !read->quoted) return complain(read, "the log ends inside a term");
        if (read_atom(read, &atom) != OK) return FAILED;
        vec_push(&read->values, atom);
    } while (read->heads.len);
    *value = vec_pop(&read->values);
    return OK;
}

/* ---- commands ---- */

static void bind(Read *read, const char *name, Value value)
{
    names_put(&read->names, name, read->bindings.len);
    vec_push(&read->bindings, value);
}

static Status finish_definition(Read *read, const char *name, Value sort)
{
    Value value = {0};
    if (read_term(read, &value) != OK) return FAILED;
    if (value.sort == TABLE) {
        value.sort = ARRAY;
        if (value.e) value.e = expr_array(read->pool, value.width, read->elements.data, read->elements.len);
    }
    if (value.sort != sort.sort || value.width != sort.width) return complain(read, "a definition of another sort");
    if (starts(name, "undef!") && value.sort == BITS) value.e = expr_undef(read->pool, value.width);
    bind(read, name, value);
    return expect(read, ")");
}

static Status read_definition(Read *read)
{
    Value sort = {0};
    next(read);
    if (starts(read->token, "clew.")) return skip_rest(read);
    char *name = mem_strdup(read->token);
    Status status = FAILED;
    if (expect(read, "(") == OK && expect(read, ")") == OK && read_sort(read, &sort) == OK) status = finish_definition(read, name, sort);
    free(name);
    return status;
}

/* The name as the program gave it: without what follows the last exclamation mark. */
static const char *strip_number(char *name)
{
    char *mark = strrchr(name, '!');
    if (mark) *mark = 0;
    return name;
}

static Value declared_value(Read *read, char *name, uint32_t arguments, Value sort)
{
    const SmtReader *reader = read->reader;
    const char *mark = strrchr(name, '!');
    if (arguments || (mark && mark[1] == 'f')) {
        sort.function = reader->function(reader->data, strip_number(name), arguments, sort.width);
        sort.sort = FUNCTION;
        return sort;
    }
    const char *plain = strip_number(name);
    sort.e = reader->variable ? reader->variable(reader->data, plain, sort.width) : expr_var(read->pool, sort.width, plain);
    return sort;
}

/* bits!7 is what f!7 is. */
static Status declare_bits(Read *read, const char *name, Value sort)
{
    char *real = mem_format("f!%s", name + strlen("bits!"));
    uint32_t *place = names_find(&read->names, real);
    free(real);
    if (!place || vec_at(&read->bindings, *place).sort != FLOAT || vec_at(&read->bindings, *place).width != sort.width)
        return complain(read, "bits of no float");
    sort.e = vec_at(&read->bindings, *place).e;
    bind(read, name, sort);
    return OK;
}

static Status finish_declaration(Read *read, char *name)
{
    Value sort = {0};
    uint32_t arguments = 0;
    while (true) { /* the sorts of the arguments */
        skip_space(read);
        if (read->text < read->end && *read->text == ')') break;
        if (read_sort(read, &sort) != OK) return FAILED;
        arguments++;
    }
    next(read);
    if (read_sort(read, &sort) != OK) return FAILED;
    if (sort.sort != BITS) return complain(read, "declarations are of bits");
    if (starts(name, "bits!")) {
        if (declare_bits(read, name, sort) != OK) return FAILED;
    } else {
        char *plain = mem_strdup(name);
        bind(read, name, declared_value(read, plain, arguments, sort));
        free(plain);
    }
    return expect(read, ")");
}

static Status read_declaration(Read *read)
{
    next(read);
    if (starts(read->token, "clew.")) return skip_rest(read);
    char *name = mem_strdup(read->token);
    Status status = expect(read, "(") == OK ? finish_declaration(read, name) : FAILED;
    free(name);
    return status;
}

static Status read_assertion(Read *read)
{
    Value value = {0};
    if (read_term(read, &value) != OK || expect(read, ")") != OK) return FAILED;
    if (value.sort == BINDING) return OK;
    if (value.sort != BITS || value.width != 1) return complain(read, "a condition has one bit");
    if (read->in_check) {
        vec_push(&read->assumptions, value.e);
        return OK;
    }
    if (read->open_levels != 1) return complain(read, "one condition for each level");
    read->open_levels = 0;
    read->reader->add(read->reader->data, value.e);
    return OK;
}

static Status read_info(Read *read)
{
    next(read);
    if (is(read, ":assumptions")) {
        read->in_check = true;
        vec_clear(&read->assumptions);
        if (read_number(read, &read->expected) != OK) return FAILED;
        return expect(read, ")");
    }
    if (!is(read, ":status")) return skip_rest(read);
    next(read);
    read->recorded = is(read, "sat") ? SOLVE_SAT : is(read, "unsat") ? SOLVE_UNSAT : SOLVE_UNKNOWN;
    return expect(read, ")");
}

static Status read_level(Read *read, bool push)
{
    uint64_t count;
    if (read_number(read, &count) != OK) return FAILED;
    if (push) {
        read->open_levels = read->in_check ? 0 : 1;
    } else if (read->in_check) { /* ends the check */
        read->in_check = false;
    } else {
        read->reader->remove(read->reader->data, (uint32_t)count);
    }
    return expect(read, ")");
}

static Status read_check(Read *read)
{
    if (!read->in_check || read->assumptions.len != read->expected) return complain(read, "not the assumptions that were announced");
    read->reader->check(read->reader->data, read->assumptions.data, read->assumptions.len, read->recorded);
    return expect(read, ")");
}

static Status read_command(Read *read)
{
    if (!is(read, "(")) return complain(read, "'(' expected");
    next(read);
    if (is(read, "define-fun")) return read_definition(read);
    if (is(read, "declare-fun")) return read_declaration(read);
    if (is(read, "assert")) return read_assertion(read);
    if (is(read, "push") || is(read, "pop")) return read_level(read, is(read, "push"));
    if (is(read, "set-info")) return read_info(read);
    if (is(read, "check-sat")) return read_check(read);
    if (is(read, "set-option") || is(read, "set-logic") || is(read, "exit")) return skip_rest(read);
    return complain(read, "unknown command");
}

/* ---- the file ---- */

static Status read_file(const char *path, StrBuf *text, Error *error)
{
    FILE *file = fopen(path, "r");
    if (!file) return fail(error, "cannot read '%s': %s", path, strerror(errno));
    char part[65536];
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;) strbuf_add_bytes(text, part, n);
    bool bad = ferror(file);
    fclose(file);
    return bad ? fail(error, "cannot read '%s'", path) : OK;
}

static void release(Read *read)
{
    free(read->token);
    names_release(&read->names);
    vec_release(&read->bindings);
    vec_release(&read->values);
    vec_release(&read->heads);
    vec_release(&read->elements);
    vec_release(&read->assumptions);
}

Status smtlib_read(const char *path, const SmtReader *reader, Error *error)
{
    StrBuf text = {0};
    if (read_file(path, &text, error) != OK) {
        strbuf_release(&text);
        return FAILED;
    }
    Read read = {
        .reader = reader, .pool = reader->pool, .path = path, .text = text.text, .end = text.text + text.len, .line = 1, .error = error};
    Status status = OK;
    read.token_size = 256;
    read.token = mem_alloc(read.token_size);
    next(&read);
    while (status == OK && read.token[0]) {
        status = read_command(&read);
        if (status == OK) next(&read);
    }
    release(&read);
    strbuf_release(&text);
    return status;
}
