/* getopt and its long forms, with glibc's permutation and messages.
 *
 * Arguments that are no options collect in [first, last) and are exchanged with the options found after them, so that they end up behind
 * all options in their order. */
#include "internal.h"

#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

typedef enum Order { REQUIRE_ORDER, PERMUTE, RETURN_IN_ORDER } Order;

static struct State {
    bool ready;
    Order order;
    char *rest; /* the short options not yet seen in the current argument */
    int first, last;
    int character; /* what optopt becomes when a call returns, whatever the program stored there */
} state;

typedef struct Call {
    int argc;
    char **argv;
    const char *options;
    const struct option *longs;
    int *long_index;
    bool long_only, print;
} Call;

/* ---- messages ---- */

typedef struct Message {
    char text[1024];
    size_t length;
} Message;

static void add(Message *m, const char *text)
{
    for (; *text && m->length < sizeof m->text; text++) m->text[m->length++] = *text;
}

/* PROGRAM: a b c … */
static void complain(const Call *call, const char *a, const char *b, const char *c, const char *d, const char *e)
{
    if (!call->print) return;
    Message m;
    m.length = 0;
    const char *parts[] = {call->argv[0], ": ", a, b, c, d, e, "\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) add(&m, parts[i]);
    clew__write(2, m.text, m.length);
}

static void complain_character(const Call *call, const char *before, char c)
{
    char text[2] = {c, 0};
    complain(call, before, text, "'", "", "");
}

/* ---- permutation ---- */

static void reverse(char **argv, int from, int to)
{
    for (to--; from < to; from++, to--) {
        char *swapped = argv[from];
        argv[from] = argv[to];
        argv[to] = swapped;
    }
}

/* [first, last) goes behind [last, optind). */
static void exchange(char **argv)
{
    reverse(argv, state.first, state.last);
    reverse(argv, state.last, optind);
    reverse(argv, state.first, optind);
    state.first += optind - state.last;
    state.last = optind;
}

static bool is_plain(const char *argument)
{
    return argument[0] != '-' || !argument[1];
}

static bool posixly_correct(void)
{
    static const char name[] = "POSIXLY_CORRECT=";
    for (char **entry = __environ; entry && *entry; entry++) {
        size_t i = 0;
        while (name[i] && (*entry)[i] == name[i]) i++;
        if (!name[i]) return true;
    }
    return false;
}

static void start(const Call *call)
{
    if (optind == 0) optind = 1;
    state.first = state.last = optind;
    state.rest = NULL;
    state.order = call->options[0] == '-' ? RETURN_IN_ORDER : call->options[0] == '+' || posixly_correct() ? REQUIRE_ORDER : PERMUTE;
    state.ready = true;
}

/* ---- long options ---- */

static size_t name_length(const char *text)
{
    size_t n = 0;
    while (text[n] && text[n] != '=') n++;
    return n;
}

static bool begins(const char *whole, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (whole[i] != text[i]) return false;
    return true;
}

static bool same_meaning(const struct option *a, const struct option *b)
{
    return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

static void complain_ambiguous(const Call *call, const char *text, size_t n, const char *prefix)
{
    if (!call->print) return;
    Message m;
    m.length = 0;
    add(&m, call->argv[0]);
    add(&m, ": option '");
    add(&m, prefix);
    add(&m, text);
    add(&m, "' is ambiguous; possibilities:");
    const struct option *first = NULL;
    for (const struct option *o = call->longs; o->name; o++) {
        if (!begins(o->name, text, n)) continue;
        if (!first) first = o;
        else if (!call->long_only && same_meaning(first, o) && o != first) continue;
        add(&m, " '");
        add(&m, prefix);
        add(&m, o->name);
        add(&m, "'");
    }
    add(&m, "\n");
    clew__write(2, m.text, m.length);
}

/* An exact match, or the only one that begins so; *ambiguous where several differ. */
static const struct option *find_long(const Call *call, const char *text, size_t n, bool *ambiguous)
{
    const struct option *found = NULL;
    *ambiguous = false;
    for (const struct option *o = call->longs; o->name; o++)
        if (begins(o->name, text, n) && !o->name[n]) return o;
    for (const struct option *o = call->longs; o->name; o++) {
        if (!begins(o->name, text, n)) continue;
        if (!found) found = o;
        else if (call->long_only || !same_meaning(found, o)) *ambiguous = true;
    }
    return found;
}

static int take_long(const Call *call, const struct option *option, const char *text, size_t n, const char *prefix)
{
    const char *value = text + n;
    optind++;
    state.rest = NULL;
    if (*value) {
        if (!option->has_arg) {
            complain(call, "option '", prefix, option->name, "' doesn't allow an argument", "");
            state.character = option->val;
            return '?';
        }
        optarg = (char *)value + 1;
    } else if (option->has_arg == required_argument) {
        if (optind >= call->argc) {
            complain(call, "option '", prefix, option->name, "' requires an argument", "");
            state.character = option->val;
            return call->options[0] == ':' ? ':' : '?';
        }
        optarg = call->argv[optind++];
    }
    if (call->long_index) *call->long_index = (int)(option - call->longs);
    if (!option->flag) return option->val;
    *option->flag = option->val;
    return 0;
}

static bool is_short(const char *options, char c)
{
    for (; *options; options++)
        if (*options == c) return true;
    return false;
}

/* -1: no long option, try short ones. */
static int process_long(const Call *call, char *text, const char *prefix)
{
    bool ambiguous;
    size_t n = name_length(text);
    const struct option *option = find_long(call, text, n, &ambiguous);
    if (ambiguous) {
        complain_ambiguous(call, text, n, prefix);
        state.rest = NULL;
        optind++;
        state.character = 0;
        return '?';
    }
    if (option) return take_long(call, option, text, n, prefix);
    if (call->long_only && call->argv[optind][1] != '-' && is_short(call->options, text[0])) return -1;
    complain(call, "unrecognized option '", prefix, text, "'", "");
    state.rest = NULL;
    optind++;
    state.character = 0;
    return '?';
}

/* ---- short options ---- */

/* -W name is --name where the options have "W;". */
static int take_w(const Call *call)
{
    char *text = state.rest;
    if (!*text) {
        if (optind == call->argc) {
            complain_character(call, "option requires an argument -- '", 'W');
            state.character = 'W';
            return call->options[0] == ':' ? ':' : '?';
        }
        text = call->argv[optind];
    }
    state.rest = NULL;
    optarg = NULL;
    return process_long(call, text, "-W ");
}

static int take_argument(const Call *call, char c, bool optional)
{
    if (*state.rest) {
        optarg = state.rest;
        optind++;
    } else if (optional) {
        optarg = NULL;
    } else if (optind == call->argc) {
        complain_character(call, "option requires an argument -- '", c);
        state.character = c;
        state.rest = NULL;
        return call->options[0] == ':' ? ':' : '?';
    } else {
        optarg = call->argv[optind++];
    }
    state.rest = NULL;
    return c;
}

static int process_short(const Call *call)
{
    char c = *state.rest++;
    const char *spec = call->options;
    while (*spec && *spec != c) spec++;
    if (!*state.rest) optind++;
    if (!*spec || c == ':' || c == ';') {
        complain_character(call, "invalid option -- '", c);
        state.character = c;
        return '?';
    }
    if (spec[0] == 'W' && spec[1] == ';' && call->longs) return take_w(call);
    if (spec[1] != ':') return c;
    return take_argument(call, c, spec[2] == ':');
}

/* ---- one step ---- */

/* Finds the next argument that is an option; -1 and the like come back in *result when there is none. */
static bool next_argument(const Call *call, int *result)
{
    char **argv = call->argv;
    if (state.last > optind) state.last = optind;
    if (state.first > optind) state.first = optind;
    if (state.order == PERMUTE) {
        if (state.first != state.last && state.last != optind) exchange(argv);
        else if (state.last != optind) state.first = optind;
        while (optind < call->argc && is_plain(argv[optind])) optind++;
        state.last = optind;
    }
    if (optind != call->argc && text_equal(argv[optind], "--")) {
        optind++;
        if (state.first != state.last && state.last != optind) exchange(argv);
        else if (state.first == state.last) state.first = optind;
        state.last = call->argc;
        optind = call->argc;
    }
    *result = -1;
    if (optind == call->argc) {
        if (state.first != state.last) optind = state.first;
        return false;
    }
    if (!is_plain(argv[optind])) return true;
    if (state.order == REQUIRE_ORDER) return false;
    optarg = argv[optind++];
    *result = 1;
    return false;
}

static int next_option(Call *call)
{
    if (call->argc < 1) return -1;
    optarg = NULL;
    if (optind == 0 || !state.ready) start(call);
    if (call->options[0] == '-' || call->options[0] == '+') call->options++;
    if (call->options[0] == ':') call->print = false;
    if (!state.rest || !*state.rest) {
        int result;
        if (!next_argument(call, &result)) return result;
        char *argument = call->argv[optind];
        if (call->longs) {
            if (argument[1] == '-') return process_long(call, argument + 2, "--");
            if (call->long_only && (argument[2] || !is_short(call->options, argument[1]))) {
                int found = process_long(call, argument + 1, "-");
                if (found != -1) return found;
            }
        }
        state.rest = argument + 1;
    }
    return process_short(call);
}

static int step(Call *call)
{
    int result = next_option(call);
    optopt = state.character;
    return result;
}

int getopt(int argc, char *const *argv, const char *options)
{
    Call call = {argc, (char **)(uintptr_t)argv, options, NULL, NULL, false, opterr != 0};
    return step(&call);
}

int __posix_getopt(int argc, char *const *argv, const char *options);
int __posix_getopt(int argc, char *const *argv, const char *options)
{
    Call call = {argc, (char **)(uintptr_t)argv, options, NULL, NULL, false, opterr != 0};
    if (!state.ready || optind == 0) {
        start(&call);
        if (state.order == PERMUTE) state.order = REQUIRE_ORDER;
    }
    return step(&call);
}

int getopt_long(int argc, char *const *argv, const char *options, const struct option *longs, int *index)
{
    Call call = {argc, (char **)(uintptr_t)argv, options, longs, index, false, opterr != 0};
    return step(&call);
}

int getopt_long_only(int argc, char *const *argv, const char *options, const struct option *longs, int *index)
{
    Call call = {argc, (char **)(uintptr_t)argv, options, longs, index, true, opterr != 0};
    return step(&call);
}
