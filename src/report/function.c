/* report: of a function's summary, one line. */
#include "report/report.h"

static void add_count(StrBuf *out, const char *verb, uint64_t n)
{
    strbuf_addf(out, ", %s %llu time%s", verb, (unsigned long long)n, n == 1 ? "" : "s");
}

void report_function(const LedgerSummary *summary, StrBuf *out)
{
    strbuf_addf(out, "%llu path%s", (unsigned long long)summary->paths, summary->paths == 1 ? "" : "s");
    if (summary->kept) strbuf_addf(out, " (%llu kept)", (unsigned long long)summary->kept);
    add_count(out, "reused", summary->reused);
    add_count(out, "inlined", summary->inlined);
    if (summary->inlined && summary->why) strbuf_addf(out, " (%s)", summary->why);
}
