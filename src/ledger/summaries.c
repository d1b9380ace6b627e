/* ledger: what is known of functions.
 *
 * There is one entry for each function.  What it does is kept as long as its code is the same, over campaigns; the counts are of this campaign. */
#include "ledger/ledger_int.h"

#include <stdlib.h>

static void free_summary(LedgerSummary *summary)
{
    free(summary->function);
    free(summary->why);
    free(summary->text);
    strbuf_release(&summary->bytes);
}

void ledger__free_summaries(Ledger *ledger)
{
    for (uint32_t i = 0; i < ledger->summaries.len; i++) free_summary(&vec_at(&ledger->summaries, i));
    vec_release(&ledger->summaries);
}

LedgerSummary *ledger_summary(const Ledger *ledger, const char *function)
{
    for (uint32_t i = 0; i < ledger->summaries.len; i++)
        if (strcmp(vec_at(&ledger->summaries, i).function, function) == 0) return &vec_at(&ledger->summaries, i);
    return NULL;
}

bool ledger_summary_used(const LedgerSummary *summary)
{
    return summary->explored || summary->reused || summary->inlined;
}

static void set_bytes(StrBuf *to, const StrBuf *from)
{
    strbuf_clear(to);
    if (from->len) strbuf_add_bytes(to, from->text, from->len);
}

static void mark(Ledger *ledger, const LedgerSummary *summary)
{
    ledger__mark(ledger, LEDGER_SUMMARIES, (uint32_t)(summary - ledger->summaries.data));
}

static LedgerSummary *entry_for(Ledger *ledger, const char *function)
{
    LedgerSummary *known = ledger_summary(ledger, function);
    if (known) return known;
    vec_push(&ledger->summaries, ((LedgerSummary){.function = mem_strdup(function)}));
    return &vec_top(&ledger->summaries);
}

/* What it says is of code that is no more. */
static void forget(LedgerSummary *summary)
{
    summary->hash = summary->paths = summary->kept = summary->past = 0;
    ledger_set_text(&summary->text, NULL);
    strbuf_clear(&summary->bytes);
}

/* Units may have loaded what another unit of this campaign has told; that is not kept from an earlier one. */
static void take_content(LedgerSummary *entry, const LedgerSummary *told)
{
    uint64_t kept = told->kept < entry->past ? told->kept : entry->past;
    if (kept > entry->kept) entry->kept = kept;
    if (told->paths <= entry->paths) return;
    entry->paths = told->paths;
    ledger_set_text(&entry->text, told->text);
    if (told->bytes.len) set_bytes(&entry->bytes, &told->bytes); /* else fewer paths, but still true ones */
}

LedgerSummary *ledger_add_summary(Ledger *ledger, const LedgerSummary *told)
{
    LedgerSummary *entry = entry_for(ledger, told->function);
    if (entry->hash != told->hash) {
        forget(entry);
        entry->hash = told->hash;
    }
    take_content(entry, told);
    entry->explored += told->explored;
    entry->reused += told->reused;
    entry->inlined += told->inlined;
    if (told->why) ledger_set_text(&entry->why, told->why);
    mark(ledger, entry);
    return entry;
}

static void take_over(Ledger *ledger, const LedgerSummary *earlier)
{
    LedgerSummary *entry = entry_for(ledger, earlier->function);
    entry->hash = earlier->hash;
    entry->paths = entry->past = earlier->paths;
    ledger_set_text(&entry->text, earlier->text);
    set_bytes(&entry->bytes, &earlier->bytes);
    mark(ledger, entry);
}

void ledger_keep_summaries(Ledger *ledger, uint64_t (*hash_of)(void *data, const char *function), void *data)
{
    for (uint32_t i = 0; i < ledger->summaries.len; i++) { /* of a campaign that is resumed */
        LedgerSummary *summary = &vec_at(&ledger->summaries, i);
        if (!summary->hash || hash_of(data, summary->function) == summary->hash) continue;
        forget(summary);
        mark(ledger, summary);
    }
    for (uint32_t i = 0; ledger->past && i < ledger->past->summaries.len; i++) {
        const LedgerSummary *earlier = &vec_at(&ledger->past->summaries, i);
        if (earlier->hash && earlier->bytes.len && hash_of(data, earlier->function) == earlier->hash) take_over(ledger, earlier);
    }
}
