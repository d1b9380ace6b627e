/* Partitions: conditions in C over the parameters of a marked function, read and built as expressions over an application's arguments.
 *
 * A recursive descent over C's expressions of numbers: literals, parameters, the operators without side effects, parentheses.  Every value
 * has its C type, so the usual arithmetic conversions decide which comparison `x < 3` is.  Parameters are known by their names; where a
 * function has none (a declaration), by $1, $2, …, and a single parameter by any name. */
#include "base/arith.h"
#include "vm/vm_int.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

typedef struct Typed {
    Expr e;
    uint16_t width;
    bool is_float, is_signed;
} Typed;

typedef struct Reader {
    ExprPool *pool;
    const Function *function;
    const Expr *arguments;
    const char *at;
    const char *problem; /* the first one */
    unsigned depth;
} Reader;

enum { MAX_NESTING = 200 };

/* ---- types ---- */

static Typed integer(Expr e, unsigned width, bool is_signed)
{
    return (Typed){e, (uint16_t)width, false, is_signed};
}

static Typed wrong(Reader *r, const char *problem)
{
    if (!r->problem) r->problem = problem;
    return integer(expr_const(r->pool, 32, 0), 32, true);
}

static Typed widened(Reader *r, Typed v, unsigned width)
{
    v.e = v.is_signed ? expr_sext(r->pool, v.e, width) : expr_zext(r->pool, v.e, width);
    v.width = (uint16_t)width;
    return v;
}

/* What is narrower than int becomes int. */
static Typed promoted(Reader *r, Typed v)
{
    if (v.is_float || v.width >= 32) return v;
    v = widened(r, v, 32);
    v.is_signed = true;
    return v;
}

static Typed to_float(Reader *r, Typed v, unsigned width)
{
    ExprKind kind = v.is_float ? EXPR_FCONVERT : v.is_signed ? EXPR_SITOF : EXPR_UITOF;
    if (!v.is_float || v.width != width) v.e = expr_convert(r->pool, kind, v.e, width);
    return (Typed){v.e, (uint16_t)width, true, true};
}

/* The usual arithmetic conversions. */
static void balance(Reader *r, Typed *a, Typed *b)
{
    if (a->is_float || b->is_float) {
        unsigned from_a = a->is_float ? a->width : 32, from_b = b->is_float ? b->width : 32;
        unsigned width = from_a > from_b ? from_a : from_b;
        *a = to_float(r, *a, width);
        *b = to_float(r, *b, width);
        return;
    }
    *a = promoted(r, *a);
    *b = promoted(r, *b);
    unsigned width = a->width > b->width ? a->width : b->width;
    bool is_signed = (a->is_signed || a->width < width) && (b->is_signed || b->width < width);
    if (a->width < width) *a = widened(r, *a, width);
    if (b->width < width) *b = widened(r, *b, width);
    a->is_signed = b->is_signed = is_signed;
}

static Expr truth(Reader *r, Typed v)
{
    Expr zero = expr_const(r->pool, v.width, 0);
    return expr_not(r->pool, v.is_float ? expr_binary(r->pool, EXPR_FEQ, v.e, zero) : expr_eq(r->pool, v.e, zero));
}

static Typed from_truth(Reader *r, Expr bit)
{
    return integer(expr_zext(r->pool, bit, 32), 32, true);
}

/* ---- words ---- */

static void skip_blanks(Reader *r)
{
    while (isspace((unsigned char)*r->at)) r->at++;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The type of an integer literal is the first that holds it: int, long; unsigned ones too where it says u or is not decimal. */
static Typed read_integer(Reader *r)
{
    bool decimal = *r->at != '0', is_unsigned = false, is_long = false;
    bool binary = *r->at == '0' && (r->at[1] == 'b' || r->at[1] == 'B');
    char *end;
    errno = 0;
    uint64_t value = binary ? strtoull(r->at + 2, &end, 2) : strtoull(r->at, &end, 0);
    for (; *end && strchr("uUlL", *end); end++) {
        if (*end == 'u' || *end == 'U') is_unsigned = true;
        else is_long = true;
    }
    if (errno || is_word(*end)) return wrong(r, "no such number");
    r->at = end;
    unsigned width = is_long || value > UINT32_MAX || (value > INT32_MAX && decimal && !is_unsigned) ? 64 : 32;
    bool top = value >> (width - 1) & 1;
    return integer(expr_const(r->pool, width, value), width, !is_unsigned && !top);
}

static Typed read_float(Reader *r)
{
    char *end;
    long double value = strtold(r->at, &end);
    bool is_single = *end == 'f' || *end == 'F', is_long = *end == 'l' || *end == 'L';
    float single = strtof(r->at, NULL);
    double plain = strtod(r->at, NULL);
    if (is_word(end[is_single || is_long])) return wrong(r, "no such number");
    r->at = end + (is_single || is_long);
    unsigned width = is_single ? 32 : is_long ? 80 : 64;
    U128 bits = is_single ? arith_bits32(single) : is_long ? arith_bits80(value) : arith_bits64(plain);
    return (Typed){expr_const(r->pool, width, bits), (uint16_t)width, true, true};
}

static Typed read_number(Reader *r)
{
    bool hexadecimal = r->at[0] == '0' && (r->at[1] == 'x' || r->at[1] == 'X');
    for (const char *p = r->at; is_word(*p) || *p == '.' || ((*p == '+' || *p == '-') && strchr(hexadecimal ? "pP" : "eE", p[-1])); p++)
        if (*p == '.' || strchr(hexadecimal ? "pP" : "eE", *p)) return read_float(r);
    return read_integer(r);
}

static unsigned char escaped(Reader *r)
{
    static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    char c = *r->at++, *end;
    const char *known = c ? strchr(names, c) : NULL;
    if (known) return (unsigned char)values[known - names];
    if (c == 'x' && isxdigit((unsigned char)*r->at)) {
        unsigned long value = strtoul(r->at, &end, 16);
        r->at = end;
        return (unsigned char)value;
    }
    if (c < '0' || c > '7') return (unsigned char)c;
    unsigned value = (unsigned)(c - '0');
    for (int i = 0; i < 2 && *r->at >= '0' && *r->at <= '7'; i++) value = value * 8 + (unsigned)(*r->at++ - '0');
    return (unsigned char)value;
}

static Typed read_character(Reader *r)
{
    r->at++;
    if (!*r->at || *r->at == '\'') return wrong(r, "an empty character");
    unsigned char c = (unsigned char)*r->at++;
    if (c == '\\') {
        if (!*r->at) return wrong(r, "a character without its end");
        c = escaped(r);
    }
    if (*r->at++ != '\'') {
        r->at--;
        return wrong(r, "a character without its end");
    }
    return integer(expr_const(r->pool, 32, (U128)(int)(signed char)c), 32, true);
}

static Typed parameter(Reader *r, uint32_t i)
{
    Scalar type = r->function->params[i].type;
    Typed v = {r->arguments[i], type.width, type.kind == SCALAR_FLOAT, type.kind == SCALAR_FLOAT || type.sign};
    return v;
}

/* An __int128 in two registers: name.coerce0 and name.coerce1. */
static bool is_half(const Param *param, const char *name, size_t n, const char *ending)
{
    return param->type.kind == SCALAR_INT && param->type.width == 64 && strncmp(param->name, name, n) == 0 &&
           strcmp(param->name + n, ending) == 0;
}

static bool has_names(const Function *f)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (*f->params[i].name) return true;
    return false;
}

static Typed read_name(Reader *r)
{
    const Function *f = r->function;
    const char *start = r->at;
    while (is_word(*r->at)) r->at++;
    size_t n = (size_t)(r->at - start);
    for (uint32_t i = 0; i < f->param_count; i++)
        if (strlen(f->params[i].name) == n && memcmp(f->params[i].name, start, n) == 0) return parameter(r, i);
    for (uint32_t i = 0; i + 1 < f->param_count; i++)
        if (is_half(&f->params[i], start, n, ".coerce0") && is_half(&f->params[i + 1], start, n, ".coerce1"))
            return integer(expr_binary(r->pool, EXPR_CONCAT, r->arguments[i + 1], r->arguments[i]), 128, f->params[i].type.sign);
    if (*start == '$') {
        char *end;
        unsigned long number = strtoul(start + 1, &end, 10);
        if (end == r->at && number >= 1 && number <= f->param_count) return parameter(r, (uint32_t)number - 1);
    }
    if (f->param_count == 1 && !has_names(f) && *start != '$') return parameter(r, 0);
    return wrong(r, has_names(f) ? "a name that is no parameter"
                                 : "a name, but the function is only declared: say $1 for its first parameter");
}

/* ---- operators ---- */

static Typed read_or(Reader *r);

static Typed read_primary(Reader *r)
{
    skip_blanks(r);
    char c = *r->at;
    if (c == '(') {
        r->at++;
        Typed v = read_or(r);
        skip_blanks(r);
        if (*r->at != ')') return wrong(r, "a parenthesis is missing");
        r->at++;
        return v;
    }
    if (c == '\'') return read_character(r);
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)r->at[1]))) return read_number(r);
    if (is_word(c)) return read_name(r);
    return wrong(r, c ? "an operand is missing" : "it ends too early");
}

static Typed negated(Reader *r, Typed v)
{
    if (v.is_float) {
        v.e = expr_binary(r->pool, EXPR_XOR, v.e, expr_const(r->pool, v.width, (U128)1 << (v.width - 1)));
        return v;
    }
    v = promoted(r, v);
    v.e = expr_binary(r->pool, EXPR_SUB, expr_const(r->pool, v.width, 0), v.e);
    return v;
}

static Typed read_unary(Reader *r)
{
    skip_blanks(r);
    char c = *r->at;
    if (r->problem || (c != '!' && c != '~' && c != '-' && c != '+')) return read_primary(r);
    if (++r->depth > MAX_NESTING) return wrong(r, "it is nested too deeply");
    r->at++;
    Typed v = read_unary(r);
    r->depth--;
    if (c == '!') return from_truth(r, expr_not(r->pool, truth(r, v)));
    if (c == '-') return negated(r, v);
    v = promoted(r, v);
    if (c == '+') return v;
    if (v.is_float) return wrong(r, "~ of a floating number");
    v.e = expr_not(r->pool, v.e);
    return v;
}

typedef struct Operator {
    char text[3];
    uint8_t level; /* 1: || … 10: * */
} Operator;

/* Longer ones first, so that < is not taken for <<. */
static const Operator operators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<<", 8}, {">>", 8}, {"<=", 7}, {">=", 7}, {"|", 3},
    {"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};

static const Operator *next_operator(Reader *r)
{
    skip_blanks(r);
    for (size_t i = 0; i < COUNT_OF(operators); i++)
        if (strncmp(r->at, operators[i].text, strlen(operators[i].text)) == 0) return &operators[i];
    return NULL;
}

static Typed compare(Reader *r, const char *op, Typed a, Typed b)
{
    balance(r, &a, &b);
    bool swapped = op[0] == '>';
    Expr x = swapped ? b.e : a.e, y = swapped ? a.e : b.e;
    if (op[0] == '=' || op[0] == '!') {
        Expr equal = a.is_float ? expr_binary(r->pool, EXPR_FEQ, x, y) : expr_eq(r->pool, x, y);
        return from_truth(r, op[0] == '=' ? equal : expr_not(r->pool, equal));
    }
    bool or_equal = op[1] == '=';
    ExprKind kind = a.is_float    ? (or_equal ? EXPR_FLE : EXPR_FLT)
                    : a.is_signed ? (or_equal ? EXPR_SLE : EXPR_SLT)
                    : or_equal    ? EXPR_ULE
                                  : EXPR_ULT;
    return from_truth(r, expr_binary(r->pool, kind, x, y));
}

/* The type is that of the left operand alone. */
static Typed shift(Reader *r, const char *op, Typed a, Typed b)
{
    if (a.is_float || b.is_float) return wrong(r, "a shift of or by a floating number");
    a = promoted(r, a);
    b = promoted(r, b);
    Expr by = b.width < a.width ? expr_zext(r->pool, b.e, a.width) : b.width > a.width ? expr_extract(r->pool, b.e, 0, a.width) : b.e;
    a.e = expr_binary(r->pool, op[0] == '<' ? EXPR_SHL : a.is_signed ? EXPR_ASHR : EXPR_LSHR, a.e, by);
    return a;
}

static Typed arithmetic(Reader *r, char op, Typed a, Typed b)
{
    balance(r, &a, &b);
    bool is_signed = a.is_signed;
    ExprKind kind;
    switch (op) {
    case '+': kind = a.is_float ? EXPR_FADD : EXPR_ADD; break;
    case '-': kind = a.is_float ? EXPR_FSUB : EXPR_SUB; break;
    case '*': kind = a.is_float ? EXPR_FMUL : EXPR_MUL; break;
    case '/': kind = a.is_float ? EXPR_FDIV : is_signed ? EXPR_SDIV : EXPR_UDIV; break;
    case '%': kind = is_signed ? EXPR_SREM : EXPR_UREM; break;
    case '&': kind = EXPR_AND; break;
    case '|': kind = EXPR_OR; break;
    default: kind = EXPR_XOR; break;
    }
    if (a.is_float && strchr("%&|^", op)) return wrong(r, "an operator of integers on a floating number");
    a.e = expr_binary(r->pool, kind, a.e, b.e);
    return a;
}

static Typed combine(Reader *r, const Operator *op, Typed a, Typed b)
{
    switch (op->level) {
    case 1: return from_truth(r, expr_or(r->pool, truth(r, a), truth(r, b)));
    case 2: return from_truth(r, expr_and(r->pool, truth(r, a), truth(r, b)));
    case 6:
    case 7: return compare(r, op->text, a, b);
    case 8: return shift(r, op->text, a, b);
    default: return arithmetic(r, op->text[0], a, b);
    }
}

/* Operators of at least this level, to the left first. */
static Typed read_level(Reader *r, unsigned level)
{
    Typed a = read_unary(r);
    for (const Operator *op; !r->problem && (op = next_operator(r)) && op->level >= level;) {
        r->at += strlen(op->text);
        a = combine(r, op, a, read_level(r, op->level + 1u));
    }
    return a;
}

static Typed read_or(Reader *r)
{
    if (++r->depth > MAX_NESTING) return wrong(r, "it is nested too deeply");
    Typed v = read_level(r, 1);
    r->depth--;
    return v;
}

/* ---- the whole ---- */

static const Application *find(const Vm *vm, const ExprFunction *function)
{
    for (uint32_t i = 0; i < vm->applications.len; i++)
        if (&vm->applications.data[i]->expr == function) return vm->applications.data[i];
    return NULL;
}

uint32_t vm_partitions(const Vm *vm, const ExprFunction *function, const char *const **texts)
{
    const Application *a = find(vm, function);
    *texts = a ? a->target->function->partitions : NULL;
    return a ? a->target->function->partition_count : 0;
}

/* 0: it could not be read, which is noted. */
static Expr read_partition(Vm *vm, const Function *f, const char *text, const Expr *arguments)
{
    Reader r = {.pool = vm->pool, .function = f, .arguments = arguments, .at = text};
    Expr condition = truth(&r, read_or(&r));
    skip_blanks(&r);
    if (!r.problem && *r.at) r.problem = "something follows that is no operator";
    if (!r.problem) return condition;
    vm__note(vm, "the partition \"%s\" of the function '%s' is left out: %s, at \"%s\"", text, f->name, r.problem, r.at);
    return 0;
}

uint32_t vm_partition_conditions(Vm *vm, Expr application, Expr *conditions, uint32_t capacity)
{
    const Application *a = find(vm, expr_function(vm->pool, application));
    const Function *f = a ? a->target->function : NULL;
    const Expr *arguments;
    uint32_t count = 0;
    if (!a || expr_elements(vm->pool, application, &arguments) != f->param_count) return 0;
    for (uint32_t i = 0; i < f->partition_count && count < capacity; i++) {
        if (a->bad_partitions[i]) continue;
        Expr condition = read_partition(vm, f, f->partitions[i], arguments);
        if (condition) conditions[count++] = condition;
        else a->bad_partitions[i] = true;
    }
    for (uint32_t i = 0; i < vm->options.partition_count && count < capacity; i++) {
        if (strcmp(vm->options.partitions[i].function, f->name) != 0) continue;
        Expr condition = read_partition(vm, f, vm->options.partitions[i].text, arguments);
        if (condition) conditions[count++] = condition;
    }
    return count;
}
