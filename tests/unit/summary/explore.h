/* For the tests of summary/: a search with summaries over a program given as a text. */
#ifndef CLEW_TEST_EXPLORE_H
#define CLEW_TEST_EXPLORE_H

#include "../front/load.h"
#include "search/search.h"

static inline Search *explore(const Program *program, const char *function, const SearchKept *kept, uint32_t kept_count, uint64_t max_runs)
{
    Search *search;
    Error error = {0};
    SearchOptions options = {.strategy = SEARCH_SUMMARIES,
                             .seed = 1,
                             .max_runs = max_runs,
                             .kept = kept,
                             .kept_count = kept_count,
                             .vm = {.quiet_output = true}};
    if (search_new(&search, program, function_of(program, function), &options, &error) != OK) fail_msg("%s", error.text);
    return search;
}

/* The number of a function among the summaries; UINT32_MAX: it has none. */
static inline uint32_t summary_of(const Program *program, const Summaries *summaries, const char *function)
{
    for (uint32_t i = 0; i < summaries_count(summaries); i++)
        if (&program->functions[summaries_facts(summaries, i).function] == function_of(program, function)) return i;
    return UINT32_MAX;
}

static inline char *text_of(const Program *program, const Search *search, const char *function)
{
    StrBuf text = {0};
    strbuf_add(&text, "");
    uint32_t i = summary_of(program, search_summaries(search), function);
    if (i != UINT32_MAX) summaries_print(search_summaries(search), i, &text);
    return text.text;
}

#endif
