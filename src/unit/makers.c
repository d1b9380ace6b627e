/* Which functions of a project make, change and release the objects of a type.
 *
 * Types decide: a function without an object of the type among its parameters that gives one, as its result or through a `T **`, makes it; one
 * that takes one such object and writes to it, or gives it back, changes it; one that takes nothing else and frees it releases it.  A name is
 * needed where types do not tell: `void f(T *)` with "init" or "setup", or that ends in another word for making and reads nothing of the object, makes one
 * in memory that the caller has, and "free", "destroy" and the like release one.  Of several the best are taken: those named like what they do, and
 * then those with the fewest parameters.
 *
 * A type is known by its name, since the struct may be complete in one source and only declared in another.  `char *` is no type of objects; a typedef of
 * it that functions give back is. */
#include "unit/unit_int.h"

#include <ctype.h>

static const char *const making[] = {"new", "create", "make", "alloc", "open", "init", "parse", "from", "empty", "start", "begin", "build"};
static const char *const changing[] = {"add",  "push",  "set",  "insert",  "append", "put",  "cat",
                                       "fill", "write", "load", "enqueue", "feed",   "grow", "register"};
static const char *const releasing[] = {"free", "destroy", "delete", "release", "close", "dispose", "unref", "cleanup", "deinit", "fini"};

/* Has the name one of the words in it, in whatever letters? */
static bool has_any(const char *name, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(words[i]);
        for (const char *at = name; *at; at++) {
            size_t k = 0;
            while (k < n && tolower((unsigned char)at[k]) == words[i][k]) k++;
            if (k == n) return true;
        }
    }
    return false;
}

/* Only the end of a name says what the function does: the begin is often that of the project, as in argparse_describe. */
static bool ends_in_any(const char *name, const char *const *words, size_t count)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(words[i]);
        if (n <= length && has_any(name + length - n, &words[i], 1)) return true;
    }
    return false;
}

static bool is_record(const CType *type)
{
    return type->kind == C_STRUCT || type->kind == C_UNION || type->kind == C_INCOMPLETE;
}

/* A pointer that has a name of its own: `typedef char *sds`. */
static bool is_named(const CType *type)
{
    return !strchr(type->plain, '*') && !strchr(type->plain, '[') && !strstr(type->spelling, "va_list");
}

static bool may_be_made(const CType *type)
{
    if (type->kind != C_POINTER || type->of->kind == C_FUNCTION || unit__is_system_type(type->of)) return false;
    return is_record(type->of) ? !type->of->unnamed || is_named(type) : is_named(type);
}

bool unit__same_kind(const CType *a, const CType *b)
{
    if (a->kind != C_POINTER || b->kind != C_POINTER) return false;
    if (strcmp(a->plain, b->plain) == 0) return true;
    return is_record(a->of) && is_record(b->of) && strcmp(a->of->plain, b->of->plain) == 0;
}

/* ---- what else a function takes ---- */

static bool is_plain(const CType *type)
{
    return unit__is_number(type) && !(type->kind == C_FLOAT && type->size > 8) && type->size <= 8;
}

/* Can the argument be made without more than the arguments of the unit itself need? */
static bool is_easy(const Plan *plan, const CParam *param, bool nested)
{
    const CType *type = param->type;
    if (is_plain(type)) return true;
    if (type->kind == C_ARRAY) return is_plain(type->of);
    if (type->kind != C_POINTER || strstr(type->spelling, "va_list")) return false;
    const CType *to = type->of;
    if (!is_named(type) && (is_plain(to) || to->kind == C_VOID || to->kind == C_FUNCTION)) return true;
    if (to->kind == C_FUNCTION) return true;
    if (nested || param->use.freed || !may_be_made(type)) return false;
    Makers makers = {0};
    unit__find_makers(plan, type, true, &makers);
    bool any = makers.makers.len != 0;
    unit__release_makers(&makers);
    return any;
}

static bool others_are_easy(const Plan *plan, const CFunction *function, uint32_t self, bool nested)
{
    for (uint32_t i = 0; i < function->param_count; i++)
        if (i != self && !is_easy(plan, &function->params[i], nested)) return false;
    return true;
}

/* ---- roles ---- */

/* Parameters that are such an object, or the address of a pointer to one. */
typedef struct Takes {
    uint32_t objects, object; /* how many, and the last of them */
    uint32_t outs, out;
} Takes;

static Takes takes_of(const CFunction *function, const CType *type)
{
    Takes takes = {.object = UINT32_MAX, .out = UINT32_MAX};
    for (uint32_t i = 0; i < function->param_count; i++) {
        const CType *param = function->params[i].type;
        if (unit__same_kind(param, type)) takes.objects++, takes.object = i;
        else if (param->kind == C_POINTER && !param->of->is_const && unit__same_kind(param->of, type)) takes.outs++, takes.out = i;
    }
    return takes;
}

static bool gives(const CFunction *function, const CType *type)
{
    return unit__same_kind(function->result, type) && !function->result->of->is_const;
}

static bool is_release(const CFunction *function, const Takes *takes)
{
    bool alone = function->param_count == 1 && takes->objects + takes->outs == 1;
    if (!alone || (function->result->kind != C_VOID && !unit__is_number(function->result))) return false;
    return has_any(function->name, releasing, COUNT_OF(releasing)) || (takes->objects && function->params[0].use.freed);
}

static bool is_init(const CFunction *function, const CType *type, const Takes *takes)
{
    static const char *const init[] = {"init", "setup", "set_up", "construct"};
    const CParam *self = takes->objects == 1 ? &function->params[takes->object] : NULL;
    if (!self || type->of->kind != C_STRUCT || !type->of->size || self->type->of->is_const || gives(function, type)) return false;
    if (has_any(function->name, releasing, COUNT_OF(releasing))) return false;
    bool only_writes = self->use.written && !self->use.read && ends_in_any(function->name, making, COUNT_OF(making));
    return only_writes || has_any(function->name, init, COUNT_OF(init));
}

static bool is_maker(const CFunction *function, const CType *type, const Takes *takes, MadeCall *call)
{
    *call = (MadeCall){.function = function, .self = UINT32_MAX};
    if (gives(function, type)) return takes->objects + takes->outs == 0;
    call->by = takes->outs ? MADE_THROUGH : MADE_IN_PLACE;
    call->self = takes->outs ? takes->out : takes->object;
    if (takes->outs) return takes->outs == 1 && takes->objects == 0 && !is_release(function, takes);
    return is_init(function, type, takes);
}

/* A function that takes something which may already be in the object, and is not named like one that adds it, relies on its being there: `remove(list, node)`. */
static bool relies_on_contents(const CFunction *function, uint32_t self)
{
    if (has_any(function->name, changing, COUNT_OF(changing))) return false;
    for (uint32_t i = 0; i < function->param_count; i++) {
        const CParam *param = &function->params[i];
        if (i == self || param->type->kind != C_POINTER) continue;
        const CType *to = param->type->of;
        if (is_record(to) || (to->kind == C_VOID && param->use.length < 0)) return true;
    }
    return false;
}

static bool is_changer(const CFunction *function, const CType *type, const Takes *takes, MadeCall *call)
{
    if (takes->objects != 1 || takes->outs || is_release(function, takes) || is_init(function, type, takes)) return false;
    const CParam *self = &function->params[takes->object];
    bool result = gives(function, type);
    *call = (MadeCall){.function = function, .by = result ? MADE_AS_RESULT : MADE_IN_PLACE, .self = takes->object};
    if (self->type->of->is_const || has_any(function->name, releasing, COUNT_OF(releasing))) return false;
    /* A function that gives an object back may give another one than it got, unless its name says that it changes the one it got. */
    if (result) return has_any(function->name, changing, COUNT_OF(changing));
    return self->use.written && !self->use.freed && !relies_on_contents(function, takes->object);
}

/* ---- the best ---- */

static int score(const MadeCall *call, const char *const *words, size_t count)
{
    int score = has_any(call->function->name, words, count) ? 100 : 0;
    for (uint32_t i = 0; i < call->function->param_count; i++) {
        const CType *type = call->function->params[i].type;
        bool record = i != call->self && type->kind == C_POINTER && is_record(type->of);
        score -= record ? 20 : type->kind == C_POINTER && type->of->kind == C_FUNCTION ? 5 : 1;
    }
    return score;
}

/* In the order of their scores, the first ones of them before. */
static void sort(MadeCall *calls, uint32_t count, const char *const *words, size_t words_count)
{
    for (uint32_t i = 1; i < count; i++) {
        MadeCall call = calls[i];
        uint32_t k = i;
        for (; k > 0 && score(&calls[k - 1], words, words_count) < score(&call, words, words_count); k--) calls[k] = calls[k - 1];
        calls[k] = call;
    }
}

/* A name that begins with an underscore says that the function is not for users. */
static bool is_usable(const Plan *plan, const CFunction *function)
{
    const CSource *source = &plan->units->decls->sources[plan->function->source];
    return function->defined && !function->is_static && !function->is_inline && !function->variadic && !function->noreturn &&
           !function->in_system_header && strcmp(function->name, "main") != 0 && function->name[0] != '_' &&
           names_find(&source->functions, function->name);
}

void unit__find_makers(const Plan *plan, const CType *type, bool nested, Makers *makers)
{
    const Decls *decls = plan->units->decls;
    if (!plan->function || !may_be_made(type)) return;
    for (uint32_t i = 0; i < decls->function_count; i++) {
        const CFunction *function = &decls->functions[i];
        if (!is_usable(plan, function)) continue;
        Takes takes = takes_of(function, type);
        MadeCall call;
        if (is_release(function, &takes)) {
            if (!makers->release) makers->release = function, makers->release_through = takes.outs == 1;
        } else if (is_maker(function, type, &takes, &call)) {
            vec_push(&makers->origins, call);
            if (others_are_easy(plan, function, call.self, nested)) vec_push(&makers->makers, call);
        } else if (!nested && is_changer(function, type, &takes, &call)) {
            if (others_are_easy(plan, function, call.self, false)) vec_push(&makers->changers, call);
        }
    }
    if (makers->makers.len) sort(makers->makers.data, makers->makers.len, making, COUNT_OF(making));
    if (makers->origins.len) sort(makers->origins.data, makers->origins.len, making, COUNT_OF(making));
    if (makers->changers.len) sort(makers->changers.data, makers->changers.len, changing, COUNT_OF(changing));
    if (makers->makers.len > UNIT_MAKERS) makers->makers.len = UNIT_MAKERS;
    if (makers->origins.len > UNIT_MAKERS) makers->origins.len = UNIT_MAKERS;
    if (makers->changers.len > UNIT_CHANGERS) makers->changers.len = UNIT_CHANGERS;
}

void unit__release_makers(Makers *makers)
{
    vec_release(&makers->makers);
    vec_release(&makers->origins);
    vec_release(&makers->changers);
}
