/* Is it worth it?  Where the program decides on all that functions give, every path of it takes one path of each function: then nothing is
 * saved, and calls are better executed in place. */
#include "summary/summary_int.h"

enum {
    FIRST_PATHS = 32, /* so many are not many */
    EVERY = 4,        /* path is looked at, and ever fewer where it is worth it */
    MOST_TRIES = 6,   /* in vain, one after the other */
};

bool summaries_path_ended(Summaries *s)
{
    return s->used && !s->off && !is_over(s) && ++s->paths >= FIRST_PATHS && s->paths >= s->next_try;
}

bool summaries_weigh(Summaries *s, bool worth)
{
    s->failed_tries = worth ? 0 : s->failed_tries + 1;
    s->next_try = worth ? 2 * s->paths : s->paths + EVERY;
    return s->failed_tries < MOST_TRIES;
}

void summaries_leave(Summaries *s, const char *why)
{
    s->off = true;
    vm_stop_watching(s->vm);
    for (uint32_t i = 0; i < s->trees.len; i++) summary__say_why(s->trees.data[i], why);
}

/* Trees stay as they are: what they know does not depend on the path. */
void summaries_return(Summaries *s)
{
    s->off = s->paused = false;
    s->failed_tries = 0;
    map_release(&s->own_versions);
    map_release(&s->explored);
    vm_watch(s->vm, true);
}

bool summaries_go_on(const Summaries *s)
{
    return !s->paused;
}

uint64_t summaries_work(const Summaries *s)
{
    return s->work + s->instances->work + expr_pool_work(s->pool);
}
