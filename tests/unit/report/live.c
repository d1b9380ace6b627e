/* report: the live line, on a pseudo-terminal that is read back as a terminal would show it. */
#include "report/report.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

typedef struct Terminal {
    int master;
    FILE *out;
} Terminal;

static void set_width(const Terminal *terminal, unsigned short columns)
{
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    assert_int_equal(ioctl(terminal->master, TIOCSWINSZ, &size), 0);
}

static Terminal open_terminal(unsigned short columns)
{
    Terminal terminal = {.master = posix_openpt(O_RDWR | O_NOCTTY)};
    assert_true(terminal.master >= 0);
    assert_int_equal(grantpt(terminal.master), 0);
    assert_int_equal(unlockpt(terminal.master), 0);
    int slave = open(ptsname(terminal.master), O_RDWR | O_NOCTTY); /* else its end would end us, too */
    assert_true(slave >= 0);
    terminal.out = fdopen(slave, "r+");
    assert_non_null(terminal.out);
    set_width(&terminal, columns);
    setenv("TERM", "xterm", 1);
    return terminal;
}

static void close_terminal(Terminal *terminal)
{
    fclose(terminal->out);
    close(terminal->master);
}

/* What was written since the last call; a mark of our own shows that all of it has come through. */
static const char *written(const Terminal *terminal)
{
    static char text[4096];
    size_t n = 0;
    fputs("\001", terminal->out);
    fflush(terminal->out);
    do {
        ssize_t got = read(terminal->master, text + n, sizeof text - 1 - n);
        assert_true(got > 0);
        n += (size_t)got;
    } while (text[n - 1] != '\001');
    text[n - 1] = 0;
    return text;
}

static ReportStatus busy(void)
{
    return (ReportStatus){.phase = "searching",
                          .unit = "flow",
                          .strategy = "auto",
                          .units_done = 2,
                          .units = 12,
                          .branches = 60,
                          .reached = 45,
                          .paths = 12000,
                          .queries = 500,
                          .tests = 9,
                          .bugs = 2,
                          .seconds = 10,
                          .seconds_left = 25.7};
}

static void the_line_tells_the_state_and_goes_away(void **state)
{
    (void)state;
    Terminal terminal = open_terminal(160);
    Report *report = report_new(terminal.out, false);
    ReportStatus status = busy();
    report_status(report, &status);
    assert_string_equal(
        written(&terminal),
        "searching flow (3 of 12): 45 of 60 branches, 15 open, 9 tests, 2 bugs, 1200 paths/s, 50 queries/s, auto, 25 s left");
    report_free(report);
    assert_string_equal(written(&terminal), "\r\033[K");
    close_terminal(&terminal);
}

static void it_is_not_redrawn_too_often(void **state)
{
    (void)state;
    Terminal terminal = open_terminal(120);
    Report *report = report_new(terminal.out, false);
    ReportStatus status = busy();
    report_status(report, &status);
    written(&terminal);
    double start = clock_seconds();
    for (int i = 0; i < 1000; i++) report_status(report, &status);
    if (clock_seconds() - start < 0.05) assert_string_equal(written(&terminal), "");
    status.phase = "replaying";
    report_status(report, &status);
    assert_non_null(strstr(written(&terminal), "\r\033[Kreplaying flow"));
    report_clear(report);
    written(&terminal);
    report_clear(report); /* nothing stands there any more */
    assert_string_equal(written(&terminal), "");
    report_status(report, &status); /* and it comes back at once */
    assert_non_null(strstr(written(&terminal), "replaying flow"));
    report_free(report);
    close_terminal(&terminal);
}

static size_t columns_of(const char *text)
{
    size_t n = 0;
    for (; *text; text++) n += (*text & 0xc0) != 0x80;
    return n;
}

static void it_is_never_as_wide_as_the_terminal(void **state)
{
    (void)state;
    for (unsigned short width = 2; width < 150; width++) {
        Terminal terminal = open_terminal(width);
        Report *report = report_new(terminal.out, false);
        ReportStatus status = busy();
        status.unit = "na\xc3\xafve_flow";
        report_status(report, &status);
        assert_true(columns_of(written(&terminal)) < width);
        report_free(report);
        close_terminal(&terminal);
    }
    Terminal terminal = open_terminal(60);
    Report *report = report_new(terminal.out, false);
    ReportStatus status = busy();
    report_status(report, &status);
    assert_string_equal(written(&terminal), "searching flow (3 of 12): 45 of 60 branches, 2 bugs");
    set_width(&terminal, 30); /* the terminal has broken the line in two */
    report_clear(report);
    assert_string_equal(written(&terminal), "\r\033[K\033[A\r\033[K");
    report_free(report);
    close_terminal(&terminal);
}

static void files_and_quiet_terminals_see_nothing(void **state)
{
    (void)state;
    FILE *out = tmpfile();
    Report *report = report_new(out, false);
    ReportStatus status = busy();
    report_status(report, &status);
    report_free(report);
    assert_int_equal(ftell(out), 0);
    fclose(out);
    Terminal terminal = open_terminal(80);
    report = report_new(terminal.out, true);
    report_status(report, &status);
    report_free(report);
    setenv("TERM", "dumb", 1);
    report = report_new(terminal.out, false);
    report_status(report, &status);
    report_free(report);
    assert_string_equal(written(&terminal), "");
    close_terminal(&terminal);
}

static void the_summary_is_broken_between_words(void **state)
{
    (void)state;
    Terminal terminal = open_terminal(50);
    char scratch[] = "/tmp/clew-report-XXXXXX";
    Ledger *ledger;
    Error error;
    Replay replay = {0};
    setenv("NO_COLOR", "1", 1);
    assert_non_null(mkdtemp(scratch));
    assert_int_equal(ledger_open(&ledger, scratch, "a.c", &(LedgerIdentity){.sources = 1}, false, &error), OK);
    LedgerTest *test = ledger_add_test(ledger, "f", &(Record){0});
    ledger_set_text(&test->path, "tests/test_f.c");
    ledger_set_text(&test->trouble, "it returned 17 where the machine had seen 4");
    ledger_add_loss(ledger, "f", "a.c", 7, "the function qsort was called with arguments that were made concrete for it");
    ledger_set_text(&ledger->directory, "out");
    report_summary(terminal.out, ledger, &replay, false);
    assert_string_equal(written(&terminal), "a.c: 1 test; no bug\r\n"
                                            "  tests    out/tests (make -C out/tests)\r\n"
                                            "  differs  test 1: it returned 17 where the\r\n"
                                            "           machine had seen 4\r\n"
                                            "           out/tests/test_f.c\r\n"
                                            "  paths    not all are known: a.c:7: the function\r\n"
                                            "           qsort was called with arguments that\r\n"
                                            "           were made concrete for it\r\n");
    unsetenv("NO_COLOR");
    report_summary(terminal.out, ledger, &replay, false);
    assert_int_equal(strncmp(written(&terminal), "\033[1ma.c: 1 test; no bug\033[0m\r\n", 29), 0);
    ledger_free(ledger);
    char *database = mem_format("%s/ledger.db", scratch);
    unlink(database);
    free(database);
    assert_int_equal(rmdir(scratch), 0);
    close_terminal(&terminal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_tells_the_state_and_goes_away), cmocka_unit_test(it_is_not_redrawn_too_often),
        cmocka_unit_test(it_is_never_as_wide_as_the_terminal),    cmocka_unit_test(files_and_quiet_terminals_see_nothing),
        cmocka_unit_test(the_summary_is_broken_between_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
