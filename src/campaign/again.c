/* A directory of tests again: how it was made, and whether what its ledger says still holds. */
#include "campaign/campaign_int.h"
#include "replay/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static char *command_path(const char *out)
{
    return mem_format("%s/.command", out);
}

Status campaign__keep_command(const CampaignOptions *o, Error *error)
{
    char *path = command_path(o->out), *here = getcwd(NULL, 0);
    StrBuf text = {0};
    strbuf_add_bytes(&text, here ? here : "", here ? strlen(here) + 1 : 1);
    for (uint32_t i = 0; i < o->argument_count; i++) strbuf_add_bytes(&text, o->arguments[i], strlen(o->arguments[i]) + 1);
    Status status = campaign__write_file(path, &text, error);
    strbuf_release(&text);
    free(here);
    free(path);
    return status;
}

Status campaign_read_command(const char *out, const char ***arguments, uint32_t *count, Error *error)
{
    char *path = command_path(out);
    FILE *in = fopen(path, "r");
    Vec(const char *) words = {0};
    if (!in) return fail(error, "%s has no tests of Clew's (%s: %s)", out, path, strerror(errno));
    char *word = NULL;
    size_t capacity = 0;
    while (getdelim(&word, &capacity, 0, in) > 0) vec_push(&words, mem_strdup(word));
    free(word);
    fclose(in);
    free(path);
    if (!words.len || chdir(words.data[0]) != 0) return fail(error, "cannot go to the directory that %s was made from", out);
    *arguments = words.data + 1;
    *count = words.len - 1;
    return OK;
}

static uint32_t count_differences(const Ledger *before, const Ledger *after, const Replay *replay)
{
    uint32_t count = replay->failed + replay->not_run + replay->differences.len;
    for (uint32_t i = 0; i < before->bugs.len && i < after->bugs.len; i++)
        count += before->bugs.data[i].confirmed && !after->bugs.data[i].confirmed;
    for (uint32_t i = 0; i < before->branches.len && i < after->branches.len; i++)
        count += before->branches.data[i].status == LEDGER_COVERED && after->branches.data[i].status != LEDGER_COVERED;
    return count;
}

static void print_replay(const Ledger *ledger, const Replay *replay, uint32_t differences)
{
    printf("%u of %u tests passed, %u of %u bugs confirmed; gcov agrees on %u of %u lines with branches (%u cannot be compared)\n",
           replay->passed, replay->tests, replay->confirmed, replay->bugs, replay->lines_agreeing, replay->lines_compared,
           replay->lines_incomparable);
    for (uint32_t i = 0; i < replay->differences.len; i++)
        printf("  %s:%u: %s\n", replay->differences.data[i].file, replay->differences.data[i].line, replay->differences.data[i].text);
    for (uint32_t i = 0; i < ledger->tests.len; i++)
        if (ledger->tests.data[i].path && ledger->tests.data[i].trouble)
            printf("  %s: %s: %s\n", ledger->tests.data[i].path, ledger->tests.data[i].name, ledger->tests.data[i].trouble);
    for (uint32_t i = 0; i < ledger->bugs.len; i++)
        if (!ledger->bugs.data[i].confirmed)
            printf("  %s:%u: %s is not confirmed: %s\n", ledger->bugs.data[i].file, ledger->bugs.data[i].line, ledger->bugs.data[i].kind,
                   ledger->bugs.data[i].evidence ? ledger->bugs.data[i].evidence : "it was not run");
    puts(differences ? "The ledger does not hold." : "The ledger holds.");
}

static Status replay_again(Campaign *c, uint32_t *differences, Error *error)
{
    const CampaignOptions *o = c->options;
    Ledger *before = NULL;
    Replay replay = {0};
    FrontOptions front = o->front;
    ReplayOptions options = {
        .jobs = campaign__processors(), .cc = o->cc, .verbose = front.verbose, .on_progress = campaign__on_replay, .on_progress_data = c};
    options.deadline = o->time > 0 ? o->started + o->time : 0;
    Status status = ledger_read(&before, o->out, error);
    if (status == OK) status = ledger_read(&c->ledger, o->out, error);
    if (status == OK) status = front_declare(&front, &c->decls, error);
    if (status == OK) status = campaign__plan(c, error);
    if (status == OK) status = replay_run(c->ledger, c->decls, c->units, &o->emit, &options, &replay, error);
    report_clear(c->report);
    if (status == OK) {
        *differences = count_differences(before, c->ledger, &replay);
        if (!o->quiet) print_replay(c->ledger, &replay, *differences);
    }
    if (before) ledger_free(before);
    replay_release(&replay);
    return status;
}

Status campaign_replay(const CampaignOptions *options, uint32_t *differences, Error *error)
{
    Campaign c = {.options = options, .report = report_new(stderr, options->quiet)};
    Status status = replay_again(&c, differences, error);
    campaign__release(&c);
    return status;
}
