/* What Clew itself can verify of sources, as results of a verifier: the analysis of analyse/verdicts.c, of the sources alone. */
#include "prove/prove.h"
#include "analyse/analyse.h"

#include <stdlib.h>

static bool is_wrapping(const char *flag)
{
    return strcmp(flag, "-fwrapv") == 0 || strcmp(flag, "-fno-strict-overflow") == 0;
}

/* Also where overflow wraps, it is told which arithmetic is signed: it may be assumed not to overflow all the same. */
static bool without_wrapping(FrontOptions *front)
{
    bool wraps = false;
    const char **flags = mem_alloc((front->flag_count + 1) * sizeof *flags);
    uint32_t count = 0;
    for (uint32_t i = 0; i < front->flag_count; i++) {
        if (is_wrapping(front->flags[i])) wraps = true;
        else flags[count++] = front->flags[i];
    }
    front->flags = flags;
    front->flag_count = count;
    return wraps;
}

Status prove_verdicts(const FrontOptions *options, bool units, Results *results, Error *error)
{
    FrontOptions front = *options;
    Program *program;
    VerdictOptions verdicts = {.wraps = without_wrapping(&front)};
    front.harnesses = NULL;
    front.harness_count = 0;
    front.models_dir = NULL;
    front.entry = NULL;
    front.guide = FRONT_GUIDE_NONE;
    Status status = front_load(&front, &program, NULL, error);
    if (status == OK) {
        const Function *entry = program_function(program, "main");
        verdicts.whole = !units && entry && entry->defined;
        analyse_verdicts(program, &verdicts, results);
        program_free(program);
    }
    free(front.flags);
    return status;
}
