/* ledger: DIR/ledger.json, the account that others read.
 *
 * One entry stands on one line and what differs between equal campaigns (times, memory) at the end, so that two accounts can be compared with diff.
 * Keys and their order are fixed.  Names come from sources and file systems and may be any bytes; JSON is UTF-8, so a byte that is none becomes
 * U+FFFD. */
#include "ledger/ledger_int.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { FORMAT_VERSION = 1, DIGITS = 9 };

/* ---- text ---- */

/* Bytes of the character that begins here, 0 if none does: no overlong forms, no surrogates, nothing above U+10FFFF. */
static size_t character_length(const unsigned char *s)
{
    size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] <= 0xdf ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (s[0] == 0xe0 && s[1] < 0xa0) return 0;
    if (s[0] == 0xed && s[1] > 0x9f) return 0;
    if (s[0] == 0xf0 && s[1] < 0x90) return 0;
    if (s[0] == 0xf4 && s[1] > 0x8f) return 0;
    return n;
}

static json_t *text(const char *bytes)
{
    if (!bytes) return json_null();
    StrBuf clean = {0};
    for (const unsigned char *s = (const unsigned char *)bytes; *s;) {
        size_t n = character_length(s);
        if (n) strbuf_add_bytes(&clean, s, n);
        else strbuf_add(&clean, "\xef\xbf\xbd");
        s += n ? n : 1;
    }
    json_t *string = json_string(clean.text ? clean.text : "");
    assert(string);
    strbuf_release(&clean);
    return string;
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *number_or_null(uint32_t value)
{
    return value ? number(value) : json_null();
}

/* Whole numbers are written as such, others with few digits. */
static json_t *real(double value)
{
    if (!isfinite(value)) return json_null();
    return value == floor(value) && fabs(value) < 9e15 ? json_integer((json_int_t)value) : json_real(value);
}

static void put(json_t *object, const char *key, json_t *value)
{
    REQUIRE(json_object_set_new(object, key, value) == 0, "out of host memory");
}

/* ---- entries ---- */

static const char *status_name(LedgerStatus status)
{
    static const char *const names[] = {[LEDGER_OPEN] = "open", [LEDGER_COVERED] = "covered", [LEDGER_INFEASIBLE] = "infeasible"};
    assert(status < COUNT_OF(names));
    return names[status];
}

static json_t *branch_entry(const Ledger *ledger, uint32_t i)
{
    const LedgerBranch *branch = &vec_at(&ledger->branches, i);
    if (!branch->counted) return NULL;
    json_t *entry = json_object();
    put(entry, "id", number(branch->id));
    put(entry, "function", text(branch->function));
    put(entry, "file", text(branch->file));
    put(entry, "line", number(branch->line));
    put(entry, "column", number(branch->column));
    put(entry, "outcome", text(branch->outcome));
    put(entry, "status", json_string(status_name(branch->status)));
    put(entry, "test", number_or_null(branch->test));
    put(entry, "proof", text(branch->proof));
    put(entry, "reason", text(branch->reason));
    return entry;
}

static json_t *new_branches(const Ledger *ledger, const Record *record)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < record->branches.len; i++) {
        uint32_t id = vec_at(&record->branches, i);
        if (id < ledger->branches.len && vec_at(&ledger->branches, id).counted) json_array_append_new(list, number(id));
    }
    return list;
}

static json_t *test_entry(const Ledger *ledger, uint32_t i)
{
    const LedgerTest *test = &vec_at(&ledger->tests, i);
    if (!test->kept && !test->bug) return NULL;
    json_t *entry = json_object();
    put(entry, "id", number(test->id));
    put(entry, "unit", text(test->unit));
    put(entry, "path", text(test->path));
    put(entry, "name", text(test->name));
    put(entry, "outcome", text(test->outcome));
    put(entry, "kept", json_boolean(test->kept));
    put(entry, "replayed", json_boolean(test->replayed));
    put(entry, "trouble", text(test->trouble));
    put(entry, "new_branches", new_branches(ledger, &test->record));
    return entry;
}

static json_t *finding_entry(const Ledger *ledger, uint32_t i)
{
    const LedgerBug *bug = &vec_at(&ledger->bugs, i);
    json_t *entry = json_object();
    put(entry, "kind", text(bug->kind));
    put(entry, "function", text(bug->function));
    put(entry, "file", text(bug->file));
    put(entry, "line", number(bug->line));
    put(entry, "column", number(bug->column));
    put(entry, "message", text(bug->message));
    put(entry, "test", number_or_null(bug->test));
    put(entry, "confirmed", json_boolean(bug->confirmed));
    put(entry, "evidence", text(bug->evidence));
    if (bug->suppressed) put(entry, "suppressed", json_true());
    return entry;
}

static json_t *bug_entry(const Ledger *ledger, uint32_t i)
{
    return vec_at(&ledger->bugs, i).precondition ? NULL : finding_entry(ledger, i);
}

static json_t *precondition_entry(const Ledger *ledger, uint32_t i)
{
    const LedgerBug *bug = &vec_at(&ledger->bugs, i);
    if (!bug->precondition) return NULL;
    json_t *entry = finding_entry(ledger, i);
    put(entry, "unit", text(bug->unit));
    put(entry, "expression", text(bug->precondition));
    return entry;
}

static json_t *unit_entry(const Ledger *ledger, uint32_t i)
{
    const LedgerUnit *unit = &vec_at(&ledger->units, i);
    json_t *entry = json_object(), *assumptions = json_array();
    put(entry, "name", text(unit->name));
    put(entry, "file", text(unit->file));
    put(entry, "line", number(unit->line));
    put(entry, "done", json_boolean(unit->done));
    put(entry, "complete", json_boolean(unit->complete));
    put(entry, "problem", text(unit->problem));
    put(entry, "runs", number(unit->runs));
    put(entry, "paths", number(unit->paths));
    for (uint32_t k = 0; k < unit->assumptions.len; k++) json_array_append_new(assumptions, text(vec_at(&unit->assumptions, k)));
    put(entry, "assumptions", assumptions);
    return entry;
}

static json_t *loss_entry(const Ledger *ledger, uint32_t i)
{
    const LedgerLoss *loss = &vec_at(&ledger->losses, i);
    json_t *entry = json_object();
    put(entry, "unit", text(loss->unit));
    put(entry, "file", text(loss->file));
    put(entry, "line", number(loss->line));
    put(entry, "reason", text(loss->reason));
    return entry;
}

static json_t *summary_entry(const Ledger *ledger, uint32_t i)
{
    const LedgerSummary *summary = &vec_at(&ledger->summaries, i);
    if (!ledger_summary_used(summary)) return NULL;
    json_t *entry = json_object();
    put(entry, "function", text(summary->function));
    put(entry, "paths", number(summary->paths));
    put(entry, "kept", number(summary->kept));
    put(entry, "explored", number(summary->explored));
    put(entry, "reused", number(summary->reused));
    put(entry, "inlined", number(summary->inlined));
    put(entry, "why", text(summary->why));
    return entry;
}

static json_t *alarm_entry(const Ledger *ledger, uint32_t i)
{
    static const char *const verdicts[] = {[ALARM_CONFIRMED] = "confirmed", [ALARM_OPEN] = "open", [ALARM_REFUTED] = "refuted"};
    const LedgerAlarm *alarm = &vec_at(&ledger->alarms, i);
    json_t *entry = json_object();
    put(entry, "tool", text(alarm->tool));
    put(entry, "rule", text(alarm->rule));
    put(entry, "file", text(alarm->file));
    put(entry, "line", number(alarm->line));
    put(entry, "message", text(alarm->message));
    put(entry, "kind", text(alarm->kind));
    put(entry, "verdict", json_string(verdicts[alarm->verdict]));
    put(entry, "test", alarm->bug ? number_or_null(vec_at(&ledger->bugs, alarm->bug - 1).test) : json_null());
    put(entry, "proof", text(alarm->proof));
    put(entry, "reason", text(alarm->reason));
    return entry;
}

static json_t *unit_seconds_entry(const Ledger *ledger, uint32_t i)
{
    json_t *entry = json_object();
    put(entry, "name", text(vec_at(&ledger->units, i).name));
    put(entry, "seconds", real(vec_at(&ledger->units, i).seconds));
    return entry;
}

/* ---- the document ---- */

static void add_value(StrBuf *out, json_t *value)
{
    char *dump = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
    REQUIRE(dump, "a value cannot be written as JSON");
    strbuf_add(out, dump);
    free(dump);
    json_decref(value);
}

static void add_list(StrBuf *out, const char *key, const Ledger *ledger, uint32_t count, json_t *(*entry)(const Ledger *, uint32_t))
{
    bool first = true;
    strbuf_addf(out, ",\n\"%s\": [", key);
    for (uint32_t i = 0; i < count; i++) {
        json_t *value = entry(ledger, i);
        if (!value) continue;
        strbuf_add(out, first ? "\n " : ",\n ");
        add_value(out, value);
        first = false;
    }
    strbuf_add(out, first ? "]" : "\n]");
}

/* Does it differ between campaigns that did the same work? */
static bool is_of_the_machine(const LedgerStat *stat)
{
    return strstr(stat->name, "second") || strstr(stat->name, "rss");
}

static void add_stats(StrBuf *out, const Ledger *ledger)
{
    bool first = true;
    strbuf_add(out, ",\n\"stats\": {");
    for (int of_the_machine = 0; of_the_machine < 2; of_the_machine++) {
        for (uint32_t i = 0; i < ledger->stats.len; i++) {
            const LedgerStat *stat = &vec_at(&ledger->stats, i);
            if (is_of_the_machine(stat) != of_the_machine) continue;
            strbuf_add(out, first ? "\n " : ",\n ");
            add_value(out, text(stat->name));
            strbuf_add(out, ": ");
            add_value(out, real(stat->value));
            first = false;
        }
    }
    strbuf_add(out, first ? "}" : "\n}");
}

void ledger_json(const Ledger *ledger, StrBuf *out)
{
    strbuf_addf(out, "{\n\"version\": %d,\n\"target\": ", FORMAT_VERSION);
    add_value(out, text(ledger->target));
    strbuf_addf(out, ",\n\"complete\": %s", ledger->complete ? "true" : "false");
    add_list(out, "branches", ledger, ledger->branches.len, branch_entry);
    add_list(out, "tests", ledger, ledger->tests.len, test_entry);
    add_list(out, "bugs", ledger, ledger->bugs.len, bug_entry);
    add_list(out, "preconditions", ledger, ledger->bugs.len, precondition_entry);
    if (ledger->alarms.len) add_list(out, "alarms", ledger, ledger->alarms.len, alarm_entry);
    add_list(out, "units", ledger, ledger->units.len, unit_entry);
    add_list(out, "lost", ledger, ledger->losses.len, loss_entry);
    add_list(out, "summaries", ledger, ledger->summaries.len, summary_entry);
    add_stats(out, ledger);
    add_list(out, "unit_seconds", ledger, ledger->units.len, unit_seconds_entry);
    strbuf_add(out, "\n}\n");
}

/* ---- the file ---- */

static Status write_file(const char *path, const StrBuf *content, Error *error)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return fail(error, "cannot write %s: %s", path, strerror(errno));
    for (size_t done = 0; done < content->len;) {
        ssize_t n = write(file, content->text + done, content->len - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            Status status = fail(error, "cannot write %s: %s", path, strerror(errno));
            close(file);
            return status;
        }
        done += (size_t)n;
    }
    return close(file) == 0 ? OK : fail(error, "cannot write %s: %s", path, strerror(errno));
}

Status ledger_write_json(const Ledger *ledger, Error *error)
{
    char *path = ledger__file(ledger->directory, LEDGER_JSON), *aside = ledger__file(ledger->directory, LEDGER_JSON_ASIDE);
    StrBuf content = {0};
    ledger_json(ledger, &content);
    Status status = write_file(aside, &content, error);
    if (status == OK && rename(aside, path) != 0) status = fail(error, "cannot write %s: %s", path, strerror(errno));
    if (status != OK) unlink(aside);
    strbuf_release(&content);
    free(aside);
    free(path);
    return status;
}
