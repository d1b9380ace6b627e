/* report: the live line of a terminal.
 *
 *   searching flow (3 of 12): 45 of 60 branches, 1200 paths/s, 3400 queries/s, auto, 2 bugs, 25 s left
 *
 * It is rewritten in place and never wraps: pieces that do not fit are left out, the least important first.  The width is asked for at each update, so no
 * signal handler is needed; if the terminal became narrower meanwhile, it has broken the old line, and all of its rows are erased.  Rates are those of the last
 * second or so. */
#include "report/report_int.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 80, PIECES = 9 };
static const double UPDATE_SECONDS = 0.1, RATE_SECONDS = 1.0;

struct Report {
    FILE *out;
    bool live;
    size_t shown;       /* columns of the line that stands there; 0: none */
    double next_update; /* not before */
    uint64_t phase;     /* hash of the last one shown; a new one is shown at once */
    double rate_since;  /* start of the span that rates are of */
    uint64_t rate_paths, rate_queries;
    double paths_rate, queries_rate; /* < 0: not known yet */
};

/* ---- columns ---- */

unsigned report__width(FILE *out)
{
    int file = fileno(out);
    struct winsize size = {0};
    if (file < 0 || !isatty(file)) return 0;
    if (ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return DEFAULT_WIDTH;
    return size.ws_col;
}

size_t report__fitting(const char *text, size_t columns)
{
    size_t n = 0;
    for (; text[n]; n++)
        if (((unsigned char)text[n] & 0xc0) != 0x80 && columns-- == 0) break;
    return n;
}

size_t report__columns(const char *text)
{
    size_t columns = 0;
    for (; *text; text++) columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

/* ---- pieces ---- */

static void add_amount(StrBuf *out, double amount)
{
    if (amount < 9999.5) strbuf_addf(out, "%.0f", amount);
    else if (amount < 9999500) strbuf_addf(out, "%.0fk", amount / 1e3);
    else strbuf_addf(out, "%.0fM", amount / 1e6);
}

static void add_duration(StrBuf *out, double seconds)
{
    uint64_t whole = seconds > 0 ? (uint64_t)seconds : 0;
    if (whole < 100) strbuf_addf(out, "%u s", (unsigned)whole);
    else if (whole < 100 * 60) strbuf_addf(out, "%u min", (unsigned)(whole / 60));
    else strbuf_addf(out, "%llu h", (unsigned long long)(whole / 3600));
}

/* A piece of the line; the higher its rank, the sooner it is left out. */
typedef struct Piece {
    StrBuf text;
    unsigned rank;
} Piece;

typedef struct Line {
    Piece pieces[PIECES];
    unsigned count;
} Line;

static StrBuf *add_piece(Line *line, unsigned rank)
{
    assert(line->count < PIECES);
    line->pieces[line->count].rank = rank;
    return &line->pieces[line->count++].text;
}

static void add_counts(Line *line, const ReportStatus *status)
{
    if (status->branches) {
        strbuf_addf(add_piece(line, 1), "%u of %u branches", status->reached, status->branches);
        if (status->reached < status->branches) strbuf_addf(add_piece(line, 7), "%u open", status->branches - status->reached);
    }
    if (status->tests) strbuf_addf(add_piece(line, 6), "%u test%s", status->tests, status->tests == 1 ? "" : "s");
    if (status->bugs) strbuf_addf(add_piece(line, 2), "%u bug%s", status->bugs, status->bugs == 1 ? "" : "s");
}

static void add_rates(Line *line, const Report *report)
{
    if (report->paths_rate >= 1) {
        StrBuf *piece = add_piece(line, 4);
        add_amount(piece, report->paths_rate);
        strbuf_add(piece, " paths/s");
    }
    if (report->queries_rate >= 1) {
        StrBuf *piece = add_piece(line, 5);
        add_amount(piece, report->queries_rate);
        strbuf_add(piece, " queries/s");
    }
}

static void add_time(Line *line, const ReportStatus *status)
{
    StrBuf *piece = add_piece(line, 3);
    bool limited = status->seconds_left >= 0;
    add_duration(piece, limited ? status->seconds_left : status->seconds);
    if (limited) strbuf_add(piece, " left");
}

/* The head, which always stands; a colon follows it if anything does. */
static void add_head(StrBuf *out, const ReportStatus *status)
{
    strbuf_add(out, status->phase ? status->phase : "working");
    if (status->unit && *status->unit) strbuf_addf(out, " %s", status->unit);
    if (status->units > 1)
        strbuf_addf(out, " (%u of %u)", status->units_done < status->units ? status->units_done + 1 : status->units, status->units);
}

static size_t line_columns(const StrBuf *head, const Line *line, unsigned ranks)
{
    size_t columns = report__columns(head->text);
    for (unsigned i = 0; i < line->count; i++)
        if (line->pieces[i].rank < ranks) columns += 2 + report__columns(line->pieces[i].text.text);
    return columns;
}

static void join(StrBuf *out, const StrBuf *head, const Line *line, size_t room)
{
    unsigned ranks = PIECES;
    while (ranks > 0 && line_columns(head, line, ranks) > room) ranks--;
    strbuf_add_bytes(out, head->text, report__fitting(head->text, room));
    const char *joint = ": ";
    for (unsigned i = 0; i < line->count; i++) {
        if (line->pieces[i].rank >= ranks) continue;
        strbuf_addf(out, "%s%s", joint, line->pieces[i].text.text);
        joint = ", ";
    }
}

static void compose(const Report *report, const ReportStatus *status, size_t room, StrBuf *out)
{
    Line line = {0};
    StrBuf head = {0};
    add_head(&head, status);
    add_counts(&line, status);
    add_rates(&line, report);
    if (status->strategy && *status->strategy) strbuf_add(add_piece(&line, 8), status->strategy);
    add_time(&line, status);
    join(out, &head, &line, room);
    strbuf_release(&head);
    for (unsigned i = 0; i < line.count; i++) strbuf_release(&line.pieces[i].text);
}

/* ---- the line ---- */

Report *report_new(FILE *out, bool quiet)
{
    Report *report = mem_alloc(sizeof *report);
    const char *terminal = getenv("TERM");
    report->out = out;
    report->live = !quiet && report__width(out) > 0 && terminal && *terminal && strcmp(terminal, "dumb") != 0;
    report->paths_rate = report->queries_rate = -1;
    return report;
}

void report_free(Report *report)
{
    if (!report) return;
    report_clear(report);
    free(report);
}

static void erase(Report *report)
{
    unsigned width = report__width(report->out);
    if (width)
        for (size_t rows = (report->shown - 1) / width; rows; rows--) fputs("\r\033[K\033[A", report->out);
    fputs("\r\033[K", report->out);
    report->shown = 0;
}

void report_clear(Report *report)
{
    if (!report->shown) return;
    erase(report);
    report->next_update = 0;
    fflush(report->out);
}

static void measure_rates(Report *report, const ReportStatus *status)
{
    double span = status->seconds - report->rate_since;
    bool restarted = status->paths < report->rate_paths || status->queries < report->rate_queries || span < 0;
    if (restarted) report->paths_rate = report->queries_rate = -1;
    else if (span < (report->paths_rate < 0 ? UPDATE_SECONDS : RATE_SECONDS)) return;
    else {
        report->paths_rate = (double)(status->paths - report->rate_paths) / span;
        report->queries_rate = (double)(status->queries - report->rate_queries) / span;
    }
    report->rate_since = status->seconds;
    report->rate_paths = status->paths;
    report->rate_queries = status->queries;
}

void report_status(Report *report, const ReportStatus *status)
{
    if (!report->live) return;
    double now = clock_seconds();
    uint64_t phase = status->phase ? hash_bytes(status->phase, strlen(status->phase)) : 0;
    measure_rates(report, status);
    if (now < report->next_update && phase == report->phase) return;
    unsigned width = report__width(report->out);
    if (width < 2) return;
    StrBuf line = {0};
    compose(report, status, width - 1, &line);
    if (report->shown) erase(report);
    fputs(line.text, report->out);
    fflush(report->out);
    report->shown = report__columns(line.text);
    report->next_update = now + UPDATE_SECONDS;
    report->phase = phase;
    strbuf_release(&line);
}
