/* Functions of libm: their results depend on the arguments alone, so on symbolic arguments they are application nodes, which evaluation
 * computes by calling them.  Those that an expression says exactly are that expression instead: the solver understands it. */
#include "base/arith.h"
#include "vm/vm_int.h"

typedef struct PureFunction {
    const char *name;                                          /* for doubles; with an f for floats */
    Expr (*expression)(ExprPool *pool, const Expr *arguments); /* NULL: an application */
} PureFunction;

static Expr magnitude(ExprPool *pool, Expr a)
{
    return expr_extract(pool, a, 0, expr_width(pool, a) - 1);
}

static Expr make_fabs(ExprPool *pool, const Expr *arguments)
{
    return expr_zext(pool, magnitude(pool, arguments[0]), expr_width(pool, arguments[0]));
}

static Expr make_copysign(ExprPool *pool, const Expr *arguments)
{
    Expr sign = expr_extract(pool, arguments[1], expr_width(pool, arguments[1]) - 1, 1);
    return expr_binary(pool, EXPR_CONCAT, sign, magnitude(pool, arguments[0]));
}

static Expr make_sqrt(ExprPool *pool, const Expr *arguments)
{
    return expr_unary(pool, EXPR_FSQRT, arguments[0]);
}

static const PureFunction functions[] = {
    {"acos", NULL},      {"acosh", NULL},  {"asin", NULL},      {"asinh", NULL},     {"atan", NULL},
    {"atan2", NULL},     {"atanh", NULL},  {"cbrt", NULL},      {"ceil", NULL},      {"copysign", make_copysign},
    {"cos", NULL},       {"cosh", NULL},   {"drem", NULL},      {"erf", NULL},       {"erfc", NULL},
    {"exp", NULL},       {"exp10", NULL},  {"exp2", NULL},      {"expm1", NULL},     {"fabs", make_fabs},
    {"fdim", NULL},      {"finite", NULL}, {"floor", NULL},     {"fma", NULL},       {"fmax", NULL},
    {"fmin", NULL},      {"fmod", NULL},   {"gamma", NULL},     {"hypot", NULL},     {"ilogb", NULL},
    {"isinf", NULL},     {"isnan", NULL},  {"j0", NULL},        {"j1", NULL},        {"jn", NULL},
    {"ldexp", NULL},     {"lgamma", NULL}, {"llogb", NULL},     {"llrint", NULL},    {"llround", NULL},
    {"log", NULL},       {"log10", NULL},  {"log1p", NULL},     {"log2", NULL},      {"logb", NULL},
    {"lrint", NULL},     {"lround", NULL}, {"nearbyint", NULL}, {"nextafter", NULL}, {"nextdown", NULL},
    {"nextup", NULL},    {"pow", NULL},    {"remainder", NULL}, {"rint", NULL},      {"round", NULL},
    {"roundeven", NULL}, {"scalb", NULL},  {"scalbln", NULL},   {"scalbn", NULL},    {"significand", NULL},
    {"sin", NULL},       {"sinh", NULL},   {"sqrt", make_sqrt}, {"tan", NULL},       {"tanh", NULL},
    {"tgamma", NULL},    {"trunc", NULL},  {"y0", NULL},        {"y1", NULL},        {"yn", NULL},
};

static const PureFunction *named(const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        size_t m = strlen(functions[i].name);
        if (strncmp(name, functions[i].name, m) == 0 && (n == m || (n == m + 1 && name[m] == 'f'))) return &functions[i];
    }
    return NULL;
}

/* All arguments and the result floats of one width, at most three of them: no detour through libffi. */
bool vm__is_uniform(const Function *f)
{
    Scalar type = f->results[0];
    if (f->param_count > 3 || type.kind != SCALAR_FLOAT || (type.width != 32 && type.width != 64)) return false;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i].type.kind != SCALAR_FLOAT || f->params[i].type.width != type.width) return false;
    return true;
}

/* A program may declare what it likes under these names; only numbers can be meant, and one float at least. */
const PureFunction *vm__find_pure(const Function *f)
{
    const PureFunction *pure = named(f->name);
    if (!pure) return NULL;
    if (pure->expression && (!vm__is_uniform(f) || f->param_count != (pure->expression == make_copysign ? 2 : 1))) return NULL;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i].type.kind == SCALAR_FLOAT) return pure;
    return NULL;
}

Expr vm__pure_expression(Vm *vm, const Application *application, const Expr *arguments)
{
    return application->pure->expression ? application->pure->expression(vm->pool, arguments) : 0;
}

static U128 on_doubles(void *address, const U128 *arguments, uint32_t count)
{
    double x[3] = {0};
    for (uint32_t i = 0; i < count; i++) x[i] = arith_f64((uint64_t)arguments[i]);
    if (count == 1) return arith_bits64(((double (*)(double))address)(x[0]));
    if (count == 2) return arith_bits64(((double (*)(double, double))address)(x[0], x[1]));
    return arith_bits64(((double (*)(double, double, double))address)(x[0], x[1], x[2]));
}

static U128 on_floats(void *address, const U128 *arguments, uint32_t count)
{
    float x[3] = {0};
    for (uint32_t i = 0; i < count; i++) x[i] = arith_f32((uint64_t)arguments[i]);
    if (count == 1) return arith_bits32(((float (*)(float))address)(x[0]));
    if (count == 2) return arith_bits32(((float (*)(float, float))address)(x[0], x[1]));
    return arith_bits32(((float (*)(float, float, float))address)(x[0], x[1], x[2]));
}

U128 vm__pure_value(const Application *application, const U128 *arguments)
{
    const Function *f = application->target->function;
    void *address = application->target->native;
    U128 result;
    if (application->uniform) return (f->results[0].width == 64 ? on_doubles : on_floats)(address, arguments, f->param_count);
    vm__native_evaluate(application->vm, application->signature, address, arguments, &result);
    return result;
}
