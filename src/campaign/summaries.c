/* What is known of functions: told by searches, kept in the ledger, and given to searches that start later, also to those of the next campaign into the
 * same directory as long as the function is the same. */
#include "campaign/campaign_int.h"

#include <stdlib.h>

enum { MOST_BYTES = 16 << 20 /* of one function */ };

/* ---- the search's side ---- */

/* By these a function does something else though its code is the same. */
static uint64_t hash_options(const VmOptions *vm)
{
    StrBuf text = {0};
    strbuf_addf(&text, "memory %llu\n", (unsigned long long)vm->memory_limit);
    for (uint32_t i = 0; i < vm->concrete_count; i++) strbuf_addf(&text, "concrete %s\n", vm->concrete[i]);
    for (uint32_t i = 0; i < vm->partition_count; i++)
        strbuf_addf(&text, "partition %s %s\n", vm->partitions[i].function, vm->partitions[i].text);
    uint64_t hash = hash_bytes(text.text, text.len);
    strbuf_release(&text);
    return hash;
}

uint64_t campaign__summary_hash(const Program *program, const SearchOptions *options, uint32_t function)
{
    uint64_t hash = summary_hash(program, function);
    return hash ? hash_mix(hash ^ hash_options(&options->vm)) : 0;
}

static void tell(const Work *work, const Summaries *summaries, uint32_t i)
{
    SummaryFacts facts = summaries_facts(summaries, i);
    StrBuf text = {0};
    LedgerSummary told = {.function = (char *)(uintptr_t)work->program->functions[facts.function].name,
                          .hash = campaign__summary_hash(work->program, &work->search, facts.function),
                          .paths = facts.paths,
                          .kept = facts.kept,
                          .explored = facts.explored,
                          .reused = facts.reused,
                          .inlined = facts.inlined,
                          .why = (char *)(uintptr_t)facts.why};
    summaries_print(summaries, i, &text);
    told.text = text.len && text.len <= MOST_BYTES ? text.text : NULL;
    if (told.hash && (!summaries_save(summaries, i, &told.bytes) || told.bytes.len > MOST_BYTES)) strbuf_clear(&told.bytes);
    message_send_summary(work->out, &told);
    strbuf_release(&told.bytes);
    strbuf_release(&text);
}

void campaign__tell_summaries(const Work *work, const Search *search)
{
    const Summaries *summaries = search_summaries(search);
    for (uint32_t i = 0; summaries && i < summaries_count(summaries); i++) tell(work, summaries, i);
}

/* ---- the campaign's side ---- */

static uint64_t present_hash(void *data, const char *name)
{
    const Campaign *c = data;
    const Function *function = program_function(c->program, name);
    if (c->options->fresh || !function || !function->defined) return 0;
    return campaign__summary_hash(c->program, &c->options->search, (uint32_t)(function - c->program->functions));
}

void campaign__keep_summaries(Campaign *c)
{
    Error error;
    ledger_keep_summaries(c->ledger, present_hash, c);
    ledger_commit(c->ledger, &error); /* at once: the database that had them is empty */
}

SearchKept *campaign__kept_summaries(const Campaign *c, uint32_t *count)
{
    const LedgerSummaries *known = &c->ledger->summaries;
    SearchKept *kept = mem_alloc((known->len + 1) * sizeof *kept);
    *count = 0;
    for (uint32_t i = 0; i < known->len; i++) {
        const LedgerSummary *summary = &known->data[i];
        const Function *function = program_function(c->program, summary->function);
        if (!function || !summary->hash || !summary->bytes.len) continue;
        kept[(*count)++] = (SearchKept){(uint32_t)(function - c->program->functions), summary->bytes.text, summary->bytes.len};
    }
    return kept;
}

void campaign__print_summaries(const Campaign *c)
{
    for (uint32_t i = 0; i < c->ledger->summaries.len; i++) {
        const LedgerSummary *summary = &c->ledger->summaries.data[i];
        StrBuf text = {0};
        if (!ledger_summary_used(summary)) continue;
        report_function(summary, &text);
        fprintf(stderr, "clew: summary of %s: %s\n", summary->function, text.text);
        strbuf_release(&text);
    }
}
