/* `clew test`: reads the options and hands over to the campaign.  `clew replay`: the same options, as the campaign has kept them. */
#include "campaign/campaign.h"
#include "cli/cli.h"
#include "cli/common.h"
#include "cli/search_options.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define DEFAULT_OUT "clew-out"
enum { DEFAULT_SECONDS = 60, MOST_JOBS = 64, EVERY_GUIDE = FRONT_GUIDE_PARTIAL | FRONT_GUIDE_MAY | FRONT_GUIDE_MUST };

typedef struct TestOptions {
    Sources sources;
    SearchArguments arguments;
    CampaignOptions campaign;
} TestOptions;

/* ---- arguments ---- */

static int add_format(TestOptions *options, const char *text)
{
    for (unsigned i = 0; i < EMIT_FORMATS; i++) {
        if (strcmp(text, emit_format_name((EmitFormat)i)) != 0) continue;
        options->campaign.emit.formats |= 1u << i;
        return 0;
    }
    return cli_complain("there is no test format '%s'", text);
}

static int add_failing(TestOptions *options, const char *text)
{
    static const char *const known[] = {
#define FAIL(name, result, parameters, arguments, failure, error, done) #name,
#include "decl/fails.def"
#undef FAIL
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (strcmp(text, known[i]) != 0) continue;
        vec_push(&options->campaign.fails, known[i]);
        return 0;
    }
    StrBuf message = {0};
    strbuf_addf(&message, "--fail knows no function '%s'; it lets fail:", text);
    for (size_t i = 0; i < COUNT_OF(known); i++) strbuf_addf(&message, " %s", known[i]);
    int status = cli_complain("%s", message.text);
    strbuf_release(&message);
    return status;
}

/* NAME:VALUE; both wishes have the same form. */
static int read_wish(const char *text, UnitWish *wish)
{
    const char *colon = strchr(text, ':');
    if (!colon || colon == text || !colon[1]) return cli_complain("expected PARAMETER:NUMBER, not '%s'", text);
    *wish = (UnitWish){strndup(text, (size_t)(colon - text)), colon + 1};
    return 0;
}

static int set_target(TestOptions *options, const char *text)
{
    const char *colon = strrchr(text, ':');
    double line;
    if (!colon || colon == text || !cli_positive_number(colon + 1, &line)) return cli_complain("--target needs FILE:LINE, not '%s'", text);
    options->campaign.target_file = strndup(text, (size_t)(colon - text));
    options->campaign.target_line = (uint32_t)line;
    return 0;
}

/* A counted budget gives the same tests every time, and that takes one search at a time. */
static uint32_t processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MOST_JOBS ? MOST_JOBS : (uint32_t)n;
}

static int set_jobs(TestOptions *options, const char *text)
{
    double jobs;
    if (!cli_positive_number(text, &jobs) || jobs > MOST_JOBS) return cli_complain("--jobs needs a number from 1 to 64, not '%s'", text);
    options->campaign.jobs = (uint32_t)jobs;
    return 0;
}

static int set_guide(TestOptions *options, const char *text)
{
    static const struct {
        const char *name;
        unsigned guide;
    } guides[] = {{"none", FRONT_GUIDE_CHECK},
                  {"partial", FRONT_GUIDE_PARTIAL},
                  {"may", FRONT_GUIDE_PARTIAL | FRONT_GUIDE_MAY},
                  {"must", FRONT_GUIDE_PARTIAL | FRONT_GUIDE_MUST},
                  {"both", EVERY_GUIDE}};
    for (size_t i = 0; i < COUNT_OF(guides); i++) {
        if (strcmp(text, guides[i].name) != 0) continue;
        options->campaign.guide = guides[i].guide;
        return 0;
    }
    return cli_complain("--guide needs none, partial, may, must or both, not '%s'", text);
}

static int set_value(TestOptions *options, const char *word, const char *text)
{
    CampaignOptions *c = &options->campaign;
    UnitWish wish = {0};
    int status = 0;
    if (strcmp(word, "--out") == 0) c->out = text;
    else if (strcmp(word, "--cc") == 0) c->cc = text;
    else if (strcmp(word, "--jobs") == 0) return set_jobs(options, text);
    else if (strcmp(word, "--format") == 0) return add_format(options, text);
    else if (strcmp(word, "--target") == 0) return set_target(options, text);
    else if (strcmp(word, "--target-function") == 0) c->target_function = text;
    else if (strcmp(word, "--guide") == 0) return set_guide(options, text);
    else if (strcmp(word, "--alarms") == 0) vec_push(&c->alarms, text);
    else if (strcmp(word, "--fail") == 0) return add_failing(options, text);
    else if (strcmp(word, "--suppress") == 0) vec_push(&c->suppressions, text);
    else if (strcmp(word, "--verified") == 0) vec_push(&c->results, text);
    else if (strcmp(word, "--nonnull") == 0) vec_push(&c->units.nonnull, text);
    else if (strcmp(word, "--assume") == 0) vec_push(&c->units.assumes, text);
    else if ((status = read_wish(text, &wish)) != 0) return status;
    else if (strcmp(word, "--array") == 0) vec_push(&c->units.arrays, wish);
    else vec_push(&c->units.strings, wish);
    return 0;
}

static bool takes_value(const char *word)
{
    static const char *const with_value[] = {"--out",      "--cc",       "--jobs",  "--format", "--target", "--target-function",
                                             "--nonnull",  "--assume",   "--array", "--string", "--guide",  "--alarms",
                                             "--verified", "--suppress", "--fail"};
    for (size_t i = 0; i < COUNT_OF(with_value); i++)
        if (strcmp(word, with_value[i]) == 0) return true;
    return false;
}

static int parse_one(void *data, int argc, char **argv, int *i)
{
    TestOptions *options = data;
    CampaignOptions *c = &options->campaign;
    const char *word = argv[*i], *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    if (takes_value(word)) {
        if (!next) return cli_complain("%s needs a value", word);
        ++*i;
        return set_value(options, word, next);
    }
    if (strcmp(word, "--resume") == 0) c->resume = true;
    else if (strcmp(word, "--from-analysis") == 0) c->from_analysis = true;
    else if (strcmp(word, "--fresh") == 0) c->fresh = true;
    else if (strcmp(word, "--no-replay") == 0) c->replay = false;
    else if (strcmp(word, "--no-backward") == 0) c->prove = false;
    else if (strcmp(word, "--strict") == 0) c->strict = true;
    else if (strcmp(word, "--quiet") == 0) c->quiet = true;
    else if (strcmp(word, "--json") == 0) c->json = true;
    else if (strcmp(word, "--stats") == 0) c->stats = true;
    else if (search_option_known(word)) return search_option_parse(&options->arguments, argc, argv, i);
    else return sources_parse(&options->sources, argc, argv, i);
    return 0;
}

/* ---- what the campaign is told ---- */

/* Options that change nothing of what is found. */
static bool is_neutral(const char *word, bool *with_value)
{
    static const char *const alone[] = {"--resume", "--fresh", "--quiet", "--json", "--stats", "--verbose"};
    static const char *const pairs[] = {"--time",     "--jobs", "--out",    "--max-runs", "--work",
                                        "--patience", "--cc",   "--alarms", "--suppress"};
    *with_value = false;
    for (size_t i = 0; i < COUNT_OF(alone); i++)
        if (strcmp(word, alone[i]) == 0) return true;
    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        if (strcmp(word, pairs[i]) == 0) *with_value = true;
    return *with_value;
}

static uint64_t fingerprint(int argc, char **argv)
{
    uint64_t hash = 0;
    for (int i = 0; i < argc; i++) {
        bool with_value;
        if (is_neutral(argv[i], &with_value)) i += with_value;
        else hash = hash_mix(hash ^ hash_bytes(argv[i], strlen(argv[i])));
    }
    return hash;
}

/* What a file says, not what it is called. */
static uint64_t hash_of_file(const char *path)
{
    uint64_t hash = 0;
    char bytes[4096];
    FILE *in = fopen(path, "r");
    for (size_t n; in && (n = fread(bytes, 1, sizeof bytes, in)) > 0;) hash = hash_mix(hash ^ hash_bytes(bytes, n));
    if (in) fclose(in);
    return hash;
}

static uint64_t budget_of(const CampaignOptions *c)
{
    const uint64_t parts[] = {(uint64_t)(c->time * 1000), c->search.work, c->search.max_runs, c->search.patience};
    return hash_bytes(parts, sizeof parts);
}

static char *joined(const char *first, char *const *words, uint32_t count)
{
    StrBuf text = {0};
    strbuf_add(&text, first);
    for (uint32_t i = 0; i < count; i++) {
        bool plain = words[i][0] &&
                     strspn(words[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@") == strlen(words[i]);
        strbuf_addf(&text, "%s%s%s%s", text.len ? " " : "", plain ? "" : "'", words[i], plain ? "" : "'");
    }
    return text.text;
}

static void add_libraries(TestOptions *options)
{
    Words words = {0};
    for (uint32_t i = 0; i < options->sources.library_dirs.len; i++)
        vec_push(&words, mem_format("-L%s", options->sources.library_dirs.data[i]));
    for (uint32_t i = 0; i < options->sources.libraries.len; i++) vec_push(&words, mem_format("-l%s", options->sources.libraries.data[i]));
    options->campaign.emit.libraries = words.data;
    options->campaign.emit.library_count = words.len;
}

static void finish(TestOptions *options, int argc, char **argv)
{
    CampaignOptions *c = &options->campaign;
    search_options_finish(&options->arguments, &options->sources);
    add_libraries(options);
    c->front = sources_front(&options->sources, NULL);
    c->front.fails = c->emit.fails = c->fails.data;
    c->front.fail_count = c->emit.fail_count = c->fails.len;
    c->search = options->arguments.search;
    c->emit.arguments = c->search.vm.argv;
    c->emit.argument_count = c->search.vm.argc;
    c->functions = options->arguments.functions.data;
    c->function_count = options->arguments.functions.len;
    c->time = options->arguments.time;
    if (!c->time && !c->search.max_runs && !c->search.work) c->time = DEFAULT_SECONDS;
    c->emit.clock = SEARCH_TIME_NS / 1000000000;
    if (!c->emit.formats) c->emit.formats = 1u << EMIT_C;
    if (!c->jobs) c->jobs = c->search.work || c->search.max_runs ? 1 : processors();
    c->search.until_covered = c->search.passes_undecided = true;
    c->emit.command = joined("clew test", argv, (uint32_t)argc);
    c->emit.include_dir = c->front.include_dir;
    c->target = joined("", (char *const *)options->sources.files.data, options->sources.files.len);
    c->fingerprint = fingerprint(argc, argv);
    for (uint32_t i = 0; i < c->results.len; i++) c->fingerprint = hash_mix(c->fingerprint ^ hash_of_file(c->results.data[i]));
    c->budget = budget_of(c);
}

static int read_options(TestOptions *options, int argc, char **argv)
{
    int status = cli_parse(argc, argv, parse_one, options, &options->arguments.arguments);
    if (status) return status;
    if (options->sources.files.len == 0) return cli_complain("%s", "no file to test");
    finish(options, argc, argv);
    return 0;
}

static int complain(const Error *error)
{
    fprintf(stderr, "clew: %s\n", error->text);
    return EXIT_USAGE;
}

static Status survey(CampaignOptions *c, FrontProject **project, Error *error)
{
    Status status = front_survey(&c->front, c->functions, c->function_count, project, error);
    c->front.project = *project;
    return status;
}

int cli_test(int argc, char **argv)
{
    FrontProject *project = NULL;
    TestOptions options = {
        .campaign = {.started = clock_seconds(), .replay = true, .prove = true, .guide = EVERY_GUIDE, .out = DEFAULT_OUT}};
    options.campaign.arguments = argv;
    options.campaign.argument_count = (uint32_t)argc;
    int status = read_options(&options, argc, argv);
    Error error;
    uint32_t bugs = 0;
    if (status) return status;
    Status done = sources_open_libraries(&options.sources, &error);
    if (done == OK) done = survey(&options.campaign, &project, &error);
    if (done == OK) done = campaign_run(&options.campaign, &bugs, &error);
    front_project_free(project);
    if (done != OK) return complain(&error);
    return bugs ? EXIT_BUG : EXIT_DONE;
}

/* ---- replay ---- */

typedef struct ReplayArguments {
    const char *directory, *cc;
    double time;
    bool verbose, json, quiet;
} ReplayArguments;

static int parse_replay(void *data, int argc, char **argv, int *i)
{
    ReplayArguments *arguments = data;
    const char *word = argv[*i], *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    if (strcmp(word, "--verbose") == 0) arguments->verbose = true;
    else if (strcmp(word, "--json") == 0) arguments->json = true;
    else if (strcmp(word, "--quiet") == 0) arguments->quiet = true;
    else if (strcmp(word, "--cc") == 0 && next) arguments->cc = argv[++*i];
    else if (strcmp(word, "--time") == 0 && next)
        return cli_positive_number(argv[++*i], &arguments->time) ? 0 : cli_complain("'%s' is not a positive number", argv[*i]);
    else if (word[0] == '-') return cli_complain("unknown option '%s', or its value is missing", word);
    else if (arguments->directory) return cli_complain("one directory is replayed at a time, not also '%s'", word);
    else arguments->directory = word;
    return 0;
}

int cli_replay(int argc, char **argv)
{
    ReplayArguments arguments = {0};
    TestOptions options = {
        .campaign = {.started = clock_seconds(), .replay = true, .prove = true, .guide = EVERY_GUIDE, .out = DEFAULT_OUT}};
    Words words = {0}, none = {0};
    Error error;
    int status = cli_parse(argc, argv, parse_replay, &arguments, &none);
    if (status) return status;
    if (!arguments.directory) return cli_complain("%s", "no directory to replay (the one that `clew test` wrote, " DEFAULT_OUT ")");
    char *directory = realpath(arguments.directory, NULL);
    if (!directory) return cli_complain("there is no directory '%s'", arguments.directory);
    if (campaign_read_command(directory, &words.data, &words.len, &error) != OK) return complain(&error);
    status = read_options(&options, (int)words.len, (char **)words.data);
    if (status) return status;
    CampaignOptions *c = &options.campaign;
    c->out = directory;
    c->time = arguments.time;
    c->cc = arguments.cc ? arguments.cc : c->cc;
    c->json = arguments.json;
    c->quiet = arguments.quiet;
    c->front.verbose |= arguments.verbose;
    uint32_t differences = 0;
    FrontProject *project = NULL;
    Status done = survey(c, &project, &error);
    if (done == OK) done = campaign_replay(c, &differences, &error);
    front_project_free(project);
    if (done != OK) return complain(&error);
    return differences ? EXIT_BUG : EXIT_DONE;
}
