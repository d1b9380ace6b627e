/* Whether native runs show a bug that the machine has found: a sanitizer's report of the right kind, the signal that a plain run dies of, or,
 * where the bug is that nothing happens any more, the time limit.  What shows what is in evidence.def. */
#include "replay/replay_int.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>

enum { NO_SIGNAL = 0, MOST_SIGNALS = 2, MOST_WORDS = 12 };
static const double no_progress_seconds = 2;

typedef struct Evidence {
    const char *kind;
    int signals[MOST_SIGNALS];
    const char *words[MOST_WORDS];
} Evidence;

static const Evidence evidence_table[] = {
#define EVIDENCE(kind, signal1, signal2, ...) {kind, {signal1, signal2}, {__VA_ARGS__}},
#include "replay/evidence.def"
#undef EVIDENCE
};

static const Evidence *evidence_of(const char *kind)
{
    for (size_t i = 0; i < COUNT_OF(evidence_table); i++)
        if (strcmp(evidence_table[i].kind, kind) == 0) return &evidence_table[i];
    return NULL;
}

BuildKind replay__bug_build(const char *kind)
{
    return strcmp(kind, "uninitialized") == 0 ? BUILD_MEMORY : BUILD_SANITIZED;
}

double replay__bug_seconds(const char *kind, double usual)
{
    return strcmp(kind, "no-progress") == 0 && usual > no_progress_seconds ? no_progress_seconds : usual;
}

/* ---- reports ---- */

/* A line of a report without addresses, process numbers and paths, so that it is the same in every run. */
static void add_report(StrBuf *out, const char *line, size_t length)
{
    static const char *const ends[] = {" on address", " on unknown address", " (pc", " at pc", " in thread"};
    char *text = mem_format("%.*s", (int)(length < 400 ? length : 400), line), *start = text, *found;
    if ((found = strstr(text, "runtime error: "))) {
        strbuf_add(out, "UndefinedBehaviorSanitizer: ");
        start = found + strlen("runtime error: ");
    } else if ((found = strstr(text, "Sanitizer: "))) {
        while (found > text && isalpha((unsigned char)found[-1])) found--;
        start = found;
        for (size_t i = 0; i < COUNT_OF(ends); i++)
            if ((found = strstr(start, ends[i]))) *found = 0;
    }
    for (char *at = start; (at = strstr(at, "0x"));) { /* what is left of addresses says nothing */
        size_t n = 2 + strspn(at + 2, "0123456789abcdef");
        memmove(at + 1, at + n, strlen(at + n) + 1);
        *at++ = '?';
    }
    strbuf_add(out, start);
    free(text);
}

static bool find_report(const Evidence *evidence, const char *text, StrBuf *out)
{
    for (size_t i = 0; i < MOST_WORDS && evidence->words[i]; i++) {
        const char *at = strstr(text, evidence->words[i]);
        if (!at) continue;
        const char *line = at;
        while (line > text && line[-1] != '\n') line--;
        /* AddressSanitizer explains a fault in lines of its own below the one that names it. */
        const char *head = strstr(text, "ERROR: AddressSanitizer");
        if (strstr(evidence->words[i], "zero page") && head) line = head;
        add_report(out, line, strcspn(line, "\n"));
        return true;
    }
    return false;
}

static bool find_signal(const Evidence *evidence, const RunResult *result, StrBuf *out)
{
    for (size_t i = 0; result->end == RUN_SIGNALLED && i < MOST_SIGNALS && evidence->signals[i]; i++)
        if (result->status == evidence->signals[i]) {
            replay__describe_end(result, out);
            return true;
        }
    return false;
}

/* ---- the judgement ---- */

static void say_what_happened(const BugRuns *runs, StrBuf *out)
{
    const char *report = strstr(runs->sanitized_text, "runtime error: "), *other = strstr(runs->sanitized_text, "Sanitizer: ");
    if (!report || (other && other < report)) report = other;
    bool was_run = runs->native.end != RUN_WAITING && runs->native.end != RUN_NOT_RUN;
    if (runs->problem || !was_run) {
        strbuf_add(out, runs->problem ? runs->problem : NO_TIME);
        return;
    }
    strbuf_add(out, "the program ended with ");
    replay__describe_end(&runs->native, out);
    if (runs->sanitized.end == RUN_WAITING || runs->sanitized.end == RUN_NOT_RUN) {
        strbuf_add(out, "; no time was left for sanitizers");
    } else if (report) {
        while (report > runs->sanitized_text && report[-1] != '\n') report--;
        strbuf_add(out, "; another report: ");
        add_report(out, report, strcspn(report, "\n"));
    } else {
        strbuf_add(out, ", and sanitizers report nothing");
    }
}

bool replay__judge_bug(const BugRuns *runs, StrBuf *out)
{
    const Evidence *evidence = evidence_of(runs->kind);
    if (!evidence) {
        strbuf_addf(out, "nothing is known to show a bug of the kind %s", runs->kind);
        return false;
    }
    if (strcmp(runs->kind, "no-progress") == 0 && runs->native.end == RUN_TIMED_OUT) {
        replay__describe_end(&runs->native, out);
        return true;
    }
    if (find_report(evidence, runs->sanitized_text, out)) return true;
    if (find_signal(evidence, &runs->native, out) || find_signal(evidence, &runs->sanitized, out)) return true;
    if (find_report(evidence, runs->native_text, out)) return true;
    say_what_happened(runs, out);
    return false;
}
