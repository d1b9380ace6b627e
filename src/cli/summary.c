/* `clew summary`: what a campaign has found out about a function. */
#include "cli/cli.h"
#include "cli/common.h"
#include "ledger/ledger.h"
#include "report/report.h"

#include <stdlib.h>

typedef struct SummaryArguments {
    const char *directory, *function;
} SummaryArguments;

static int parse_one(void *data, int argc, char **argv, int *i)
{
    SummaryArguments *arguments = data;
    const char *word = argv[*i];
    (void)argc;
    if (word[0] == '-') return cli_complain("unknown option '%s'", word);
    if (arguments->function) return cli_complain("one function is shown at a time, not also '%s'", word);
    if (arguments->directory) arguments->function = word;
    else arguments->directory = word;
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int complain_unknown(const Ledger *ledger, const char *function)
{
    Vec(const char *) names = {0};
    for (uint32_t i = 0; i < ledger->summaries.len; i++)
        if (ledger->summaries.data[i].text) vec_push(&names, ledger->summaries.data[i].function);
    if (names.len) qsort(names.data, names.len, sizeof *names.data, by_name);
    fprintf(stderr, "clew: the campaign in %s has no summary of '%s'; ", ledger->directory, function);
    fprintf(stderr, names.len ? "it has one of" : "it has none of any function");
    for (uint32_t i = 0; i < names.len; i++) fprintf(stderr, "%s %s", i ? "," : "", names.data[i]);
    fprintf(stderr, "\n");
    vec_release(&names);
    return EXIT_USAGE;
}

static void print(const LedgerSummary *summary)
{
    StrBuf counts = {0};
    if (summary->text) {
        report_function(summary, &counts);
        printf("%s: %s\n%s", summary->function, counts.text, summary->text);
        if (summary->text[strlen(summary->text) - 1] != '\n') printf("\n");
        strbuf_release(&counts);
        return;
    }
    printf("%s has no summary: it was executed in place at %llu call%s%s%s%s\n", summary->function, (unsigned long long)summary->inlined,
           summary->inlined == 1 ? "" : "s", summary->why ? " (" : "", summary->why ? summary->why : "", summary->why ? ")" : "");
}

int cli_summary(int argc, char **argv)
{
    SummaryArguments arguments = {0};
    Words none = {0};
    Ledger *ledger;
    Error error;
    int status = cli_parse(argc, argv, parse_one, &arguments, &none);
    vec_release(&none);
    if (status) return status;
    if (!arguments.directory) return cli_complain("%s", "no directory (the one that `clew test` wrote) and no function to show");
    if (!arguments.function) return cli_complain("no function to show of '%s'", arguments.directory);
    if (ledger_read(&ledger, arguments.directory, &error) != OK) {
        fprintf(stderr, "clew: %s\n", error.text);
        return EXIT_USAGE;
    }
    const LedgerSummary *summary = ledger_summary(ledger, arguments.function);
    if (summary && (summary->text || summary->inlined)) print(summary);
    else status = complain_unknown(ledger, arguments.function);
    ledger_free(ledger);
    return status;
}
