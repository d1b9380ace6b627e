/* getopt and its long forms: random options and arguments; results, order of arguments, and messages. */
#include "test.h"

#include <fcntl.h>
#include <getopt.h>
#include <sys/mman.h>
#include <unistd.h>

MODEL(getopt);
MODEL(getopt_long);
MODEL(getopt_long_only);
extern char *model_optarg;
extern int model_optind, model_opterr, model_optopt;

enum { MAX_ARGUMENTS = 9 };
typedef enum Form { SHORT, LONG, LONG_ONLY } Form;

static int flag_value;
static const struct option longs[] = {
    {"alpha", no_argument, NULL, 'a'},      {"alphabet", required_argument, NULL, 1000}, {"beta", optional_argument, NULL, 'b'},
    {"flag", no_argument, &flag_value, 77}, {"beta2", no_argument, NULL, 'b'},           {"c", required_argument, NULL, 'c'},
    {"same", no_argument, NULL, 's'},       {"same2", no_argument, NULL, 's'},           {NULL, 0, NULL, 0}};

static const char *specs[] = {"ab:c::", ":ab:c::", "+ab:c", "-ab:c::", "", "abc", "+:a:b", "aW;b:", "-:ab", "s"};
static const char *words[] = {"-a",       "-b",    "-c",     "-ab",     "-bvalue",  "-cvalue",      "-z",         "-",
                              "--",       "file",  "other",  "--alpha", "--alph",   "--alphabet=x", "--alphabet", "--beta",
                              "--beta=v", "--b",   "--flag", "--fl",    "--flag=x", "--none",       "--c",        "-alpha",
                              "-beta=1",  "-flag", "-W",     "alpha",   "-Wflag",   "--same",       "--sam",      "-s",
                              "-:",       "--=",   "",       "-sa",     "---"};

static int call(Form form, int argc, char **argv, const char *spec, int *index)
{
    if (form == SHORT) return getopt(argc, argv, spec);
    return form == LONG ? getopt_long(argc, argv, spec, longs, index) : getopt_long_only(argc, argv, spec, longs, index);
}

static int model_call(Form form, int argc, char **argv, const char *spec, int *index)
{
    if (form == SHORT) return model_getopt(argc, argv, spec);
    return form == LONG ? model_getopt_long(argc, argv, spec, longs, index) : model_getopt_long_only(argc, argv, spec, longs, index);
}

static int capture(void)
{
    static int fd = -1;
    if (fd < 0) fd = memfd_create("messages", 0);
    if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET)) exit(2);
    return fd;
}

/* glibc writes to the real standard error. */
static char *glibc_messages(Form form, int argc, char **argv, const char *spec, int *results, int *count)
{
    int fd = capture(), saved = dup(2);
    size_t n;
    fflush(stderr);
    dup2(fd, 2);
    optind = 0;
    for (*count = 0; *count < 60;) {
        int index = -5, c = call(form, argc, argv, spec, &index);
        int *r = results + 5 * (*count)++;
        r[0] = c, r[1] = optind, r[2] = optopt, r[3] = index, r[4] = optarg ? (int)strlen(optarg) : -1;
        if (c == -1) break;
    }
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    return read_whole(fd, &n);
}

static char *model_messages(Form form, int argc, char **argv, const char *spec, int *results, int *count)
{
    size_t n;
    host.console = capture();
    model_optind = 0;
    for (*count = 0; *count < 60;) {
        int index = -5, c = model_call(form, argc, argv, spec, &index);
        int *r = results + 5 * (*count)++;
        r[0] = c, r[1] = model_optind, r[2] = model_optopt, r[3] = index, r[4] = model_optarg ? (int)strlen(model_optarg) : -1;
        if (c == -1) break;
    }
    return read_whole(host.console, &n);
}

static bool compare(Random *r, Form form)
{
    char *argv[MAX_ARGUMENTS + 1] = {(char *)"prog"}, *expected_argv[MAX_ARGUMENTS + 1], *got_argv[MAX_ARGUMENTS + 1];
    int argc = 1 + (int)below(r, MAX_ARGUMENTS - 1), expected[300], got[300], n, m;
    const char *spec = specs[below(r, sizeof specs / sizeof *specs)];
    step("\"%s\" form %d: ", spec, form);
    for (int i = 1; i < argc; i++) {
        argv[i] = (char *)words[below(r, sizeof words / sizeof *words)];
        step("%s ", *argv[i] ? argv[i] : "\"\"");
    }
    argv[argc] = NULL;
    memcpy(expected_argv, argv, sizeof argv);
    memcpy(got_argv, argv, sizeof argv);
    opterr = model_opterr = !one_in(r, 4);
    optopt = model_optopt = '?';
    char *a = glibc_messages(form, argc, expected_argv, spec, expected, &n), *b = model_messages(form, argc, got_argv, spec, got, &m);
    bool same = n == m || differ("glibc %d options, model %d", n, m);
    for (int i = 0; i < n && same; i++)
        if (memcmp(expected + 5 * i, got + 5 * i, 5 * sizeof(int)) != 0)
            same = differ("option %d: glibc %d optind %d optopt %d index %d, model %d optind %d optopt %d index %d", i, expected[5 * i],
                          expected[5 * i + 1], expected[5 * i + 2], expected[5 * i + 3], got[5 * i], got[5 * i + 1], got[5 * i + 2],
                          got[5 * i + 3]);
    if (same && memcmp(expected_argv, got_argv, sizeof(char *) * (size_t)(argc + 1)) != 0) same = differ("order of the arguments");
    if (same && strcmp(a, b) != 0) same = differ("messages: glibc \"%s\", model \"%s\"", text_shown(a), text_shown(b));
    free(a);
    free(b);
    return same;
}

static bool trial_getopt(Random *r)
{
    return compare(r, SHORT);
}

static bool trial_getopt_long(Random *r)
{
    return compare(r, LONG);
}

static bool trial_getopt_long_only(Random *r)
{
    return compare(r, LONG_ONLY);
}

const Trial getopt_trials[] = {TRIAL(getopt), TRIAL(getopt_long), TRIAL(getopt_long_only), {NULL, NULL, 0}};
