/* report: the layout of the closing summary.
 *
 *   valves.c: 11 of 12 branches covered by 4 tests; 1 bug
 *     tests    clew-out/tests (make -C clew-out/tests)
 *     bug      valves.c:31: division-by-zero in flow: the divisor is 0
 *              clew-out/tests/bugs/bug_1_flow.c
 *     open     valves.c:40:9 false: the solver gave up
 *
 * The whole takes at most a screen of 24 lines where it can: each section first gets the few rows it must have, then what room is left goes to the sections in
 * order; what does not fit is counted.  On a terminal long rows are broken between words; elsewhere a row stays one line, so that it can be searched. */
#include "report/report_int.h"

#include <stdlib.h>

enum { SCREEN = 23 /* and the prompt */, MARGIN = 11, PLAIN_WIDTH = 80, WIDEST = 140, NARROWEST = 40 };

static const struct SectionStyle {
    const char *label;
    uint32_t least;
    bool repeat;
    const char *where;
} STYLES[SECTIONS] = {
#define SECTION(NAME, label, least, repeat, where) [SECTION_##NAME] = {label, least, repeat, where},
#include "report/sections.def"
#undef SECTION
};

typedef struct Page {
    FILE *out; /* NULL: only count */
    unsigned width;
    bool terminal, colours;
    unsigned lines;
} Page;

/* ---- lines ---- */

static void start_line(Page *page, const char *label, const char *colour)
{
    page->lines++;
    if (!page->out) return;
    if (!label) fprintf(page->out, "%*s", MARGIN, "");
    else if (colour && page->colours) fprintf(page->out, "  \033[%sm%-*s\033[0m", colour, MARGIN - 2, label);
    else fprintf(page->out, "  %-*s", MARGIN - 2, label);
}

/* A control character in a name must not play with the terminal. */
static void print_text(const Page *page, const char *text, size_t n)
{
    for (size_t i = 0; page->out && i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        fputc(c < 0x20 || c == 0x7f ? ' ' : c, page->out);
    }
}

static void end_line(const Page *page)
{
    if (page->out) fputc('\n', page->out);
}

/* Where to break: the last space within the room, or the room's end. */
static size_t line_length(const char *text, size_t room)
{
    size_t n = report__fitting(text, room), end = n;
    if (!text[n]) return n;
    while (end > 0 && text[end] != ' ') end--;
    return end ? end : n;
}

/* Returns the columns that it takes; a whole line and more if it had to be broken. */
static size_t print_broken(Page *page, const char *text)
{
    size_t room = page->width - MARGIN, used = MARGIN + report__columns(text);
    for (;;) {
        size_t n = page->terminal ? line_length(text, room) : strlen(text);
        print_text(page, text, n);
        if (!text[n]) return used;
        text += n + (text[n] == ' ');
        end_line(page);
        start_line(page, NULL, NULL);
    }
}

static void print_row(Page *page, const char *label, const char *colour, const SectionRow *row)
{
    start_line(page, label, colour);
    size_t used = print_broken(page, row->text);
    if (row->tail && used + 2 + report__columns(row->tail) <= page->width) {
        print_text(page, "  ", 2);
        print_text(page, row->tail, strlen(row->tail));
    } else if (row->tail) {
        end_line(page);
        start_line(page, NULL, NULL);
        print_text(page, row->tail, strlen(row->tail));
    }
    end_line(page);
}

/* ---- sections ---- */

static void print_more(Page *page, const struct SectionStyle *style, const char *directory, uint32_t hidden)
{
    StrBuf text = {0};
    strbuf_addf(&text, "and %u more", hidden);
    if (style->where) strbuf_addf(&text, " (see %s/%s)", directory, style->where);
    print_row(page, NULL, NULL, &(SectionRow){text.text, NULL});
    strbuf_release(&text);
}

static void print_section(Page *page, SectionName name, const Section *section, uint32_t shown, const char *directory)
{
    const struct SectionStyle *style = &STYLES[name];
    const char *colour = name == SECTION_BUGS ? "1;31" : name == SECTION_DIFFERS ? "1" : NULL;
    for (uint32_t i = 0; i < shown; i++) print_row(page, i == 0 || style->repeat ? style->label : NULL, colour, &vec_at(&section->rows, i));
    if (shown < section->rows.len) print_more(page, style, directory, section->rows.len - shown);
}

typedef struct Allotment {
    const Page *page;
    const Summary *summary;
    const char *directory;
    uint32_t shown[SECTIONS];
} Allotment;

static unsigned measure(const Allotment *now, SectionName name, const Section *section, uint32_t shown)
{
    Page probe = *now->page;
    probe.out = NULL;
    probe.lines = 0;
    print_section(&probe, name, section, shown, now->directory);
    return probe.lines;
}

/* Changes the rows shown of one section by one; returns the lines that the whole then takes. */
static unsigned step(const Allotment *now, unsigned lines, SectionName name, int by)
{
    const Section *section = &now->summary->sections[name];
    unsigned before = measure(now, name, section, now->shown[name]), after = measure(now, name, section, now->shown[name] + (uint32_t)by);
    return lines - before + after;
}

/* How many rows of each section are shown: a few, fewer from the end on if even these are too many, more from the start on while there is room. */
static void allot(Allotment *now)
{
    unsigned lines = 1;
    for (unsigned i = 0; i < SECTIONS; i++) {
        const Section *section = &now->summary->sections[i];
        now->shown[i] = section->rows.len <= STYLES[i].least ? section->rows.len : STYLES[i].least;
        lines += measure(now, (SectionName)i, section, now->shown[i]);
    }
    for (unsigned i = SECTIONS; i-- > 0;)
        for (; lines > SCREEN && now->shown[i] > 1; now->shown[i]--) lines = step(now, lines, (SectionName)i, -1);
    for (unsigned i = 0; i < SECTIONS; i++) {
        while (now->shown[i] < now->summary->sections[i].rows.len) {
            unsigned then = step(now, lines, (SectionName)i, 1);
            if (then > SCREEN) break;
            lines = then;
            now->shown[i]++;
        }
    }
}

static Page page_for(FILE *out)
{
    unsigned width = report__width(out);
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    Page page = {.out = out, .width = width ? width : PLAIN_WIDTH, .terminal = width > 0};
    page.colours = page.terminal && !(no_colour && *no_colour) && terminal && strcmp(terminal, "dumb") != 0;
    if (page.width > WIDEST) page.width = WIDEST;
    if (page.width < NARROWEST) page.width = NARROWEST;
    return page;
}

/* One line for each thing that is wrong; a bug as a compiler would write it. */
static void print_quiet(FILE *out, const Summary *summary)
{
    static const SectionName wrong[] = {SECTION_BUGS, SECTION_UNSURE, SECTION_DIFFERS, SECTION_UNTESTED};
    Page page = {.out = out};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        const Section *section = &summary->sections[wrong[i]];
        for (uint32_t k = 0; k < section->rows.len; k++) {
            const SectionRow *row = &vec_at(&section->rows, k);
            if (wrong[i] != SECTION_BUGS) fprintf(out, "%s: ", STYLES[wrong[i]].label);
            print_text(&page, row->text, strlen(row->text));
            if (row->tail) print_text(&page, "  ", 2);
            if (row->tail) print_text(&page, row->tail, strlen(row->tail));
            end_line(&page);
        }
    }
}

static void print_page(FILE *out, const Summary *summary, const char *directory)
{
    Page page = page_for(out);
    Allotment allotment = {.page = &page, .summary = summary, .directory = directory};
    allot(&allotment);
    if (page.colours) fputs(summary->alarming ? "\033[1;31m" : "\033[1m", out);
    print_text(&page, summary->headline, strlen(summary->headline));
    if (page.colours) fputs("\033[0m", out);
    end_line(&page);
    for (unsigned i = 0; i < SECTIONS; i++) print_section(&page, (SectionName)i, &summary->sections[i], allotment.shown[i], directory);
}

void report_summary(FILE *out, const Ledger *ledger, const Replay *replay, bool quiet)
{
    Summary summary;
    report__collect(&summary, ledger, replay);
    if (quiet) print_quiet(out, &summary);
    else print_page(out, &summary, report__relative(ledger->directory));
    fflush(out);
    report__release(&summary);
}
