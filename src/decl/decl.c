/* decl: the end of a Decls, and finding a function in it.  Who fills one is front/declare.c. */
#include "decl/decl.h"

#include <stdlib.h>

void decls_free(Decls *decls)
{
    if (!decls) return;
    for (uint32_t i = 0; i < decls->source_count; i++) {
        names_release(&decls->sources[i].types);
        names_release(&decls->sources[i].functions);
    }
    arena_release(&decls->arena);
    names_release(&decls->library);
    free(decls);
}

void decls_forget_macros(const Decls *decls, uint32_t source, StrBuf *out)
{
    for (uint32_t i = 0; i < decls->sources[source].keyword_macro_count; i++)
        strbuf_addf(out, "#undef %s\n", decls->sources[source].keyword_macros[i]);
}

/* How well a function of the right name answers the question; 0: not at all. */
static int rank(const CFunction *function, uint32_t source)
{
    if (source != UINT32_MAX) {
        if (function->is_static) return function->source == source ? 4 + function->defined : 0;
        return 1 + function->defined;
    }
    return function->defined ? (function->is_static ? 2 : 4) : 1;
}

const CFunction *decls_function(const Decls *decls, const char *name, uint32_t source)
{
    const CFunction *best = NULL;
    int best_rank = 0;
    for (uint32_t i = 0; i < decls->function_count; i++) {
        const CFunction *function = &decls->functions[i];
        if (strcmp(function->name, name) != 0) continue;
        int r = rank(function, source);
        if (r > best_rank) best = function, best_rank = r;
    }
    return best;
}
