#include "cli/search_options.h"
#include "cli/cli.h"
#include "emit/emit.h"

#include <stdlib.h>

enum { WORK_UNIT = 1000000 }; /* units of counted work, about a millisecond, that --work counts */

static int set_tiers(SearchArguments *options, const char *text)
{
    uint32_t tiers = 0;
    char *copy = mem_strdup(text), *rest = copy;
    for (char *word; (word = strsep(&rest, ",")) != NULL;) {
        unsigned tier = 0;
        while (tier < SOLVE_TIERS && strcmp(word, solve_tier_name((SolveTier)tier)) != 0) tier++;
        if (tier == SOLVE_TIERS) return cli_complain("there is no solver tier '%s'", word);
        tiers |= 1u << tier;
    }
    free(copy);
    options->search.solve.tiers = tiers;
    return 0;
}

static int set_strategy(SearchArguments *options, const char *text)
{
    for (unsigned i = 0; i < SEARCH_STRATEGIES; i++) {
        if (strcmp(text, search_strategy_name((SearchStrategy)i)) != 0) continue;
        options->search.strategy = (SearchStrategy)i;
        return 0;
    }
    return cli_complain("there is no search strategy '%s'", text);
}

static int read_named(const char *text, VmSymbolicFile *named)
{
    const char *colon = strrchr(text, ':');
    double size;
    if (!colon || colon == text || !cli_positive_number(colon + 1, &size)) return cli_complain("expected NAME:SIZE, not '%s'", text);
    *named = (VmSymbolicFile){strndup(text, (size_t)(colon - text)), (uint64_t)size};
    return 0;
}

static int add_file(SearchArguments *options, const char *text)
{
    VmSymbolicFile file;
    int status = read_named(text, &file);
    if (!status) vec_push(&options->files, file);
    return status;
}

static int add_variable(SearchArguments *options, const char *text)
{
    VmSymbolicFile variable;
    int status = read_named(text, &variable);
    if (!status) vec_push(&options->environment, variable);
    return status;
}

static int set_arguments(SearchArguments *options, const char *text)
{
    char *end = NULL;
    unsigned long count = strtoul(text, &end, 10), size = *end == ',' ? strtoul(end + 1, &end, 10) : 0;
    if (*end || count < 1 || count > 64 || size < 1 || size > 4096)
        return cli_complain("--argv needs K,N: up to K (1 to 64) arguments of up to N characters, not '%s'", text);
    options->search.vm.symbolic_arguments = (uint32_t)count;
    options->search.vm.symbolic_argument_size = (uint32_t)size;
    return 0;
}

/* A line of the config file: `concrete NAME`, `partition NAME CONDITION`, or a comment after #. */
static int read_config_line(SearchArguments *options, const char *path, unsigned number, const char *line)
{
    uint32_t count;
    char **words = text_words(line, &count);
    if (count == 2 && strcmp(words[0], "concrete") == 0) {
        vec_push(&options->concrete, words[1]);
    } else if (count >= 3 && strcmp(words[0], "partition") == 0) {
        StrBuf text = {0};
        for (uint32_t i = 2; i < count; i++) strbuf_addf(&text, "%s%s", i > 2 ? " " : "", words[i]);
        vec_push(&options->partitions, ((VmPartition){words[1], text.text}));
    } else if (count && words[0][0] != '#') {
        fprintf(stderr, "clew: %s:%u: expected `concrete NAME` or `partition NAME CONDITION`\n", path, number);
        return EXIT_USAGE;
    }
    free(words);
    return 0;
}

static int read_config(SearchArguments *options, const char *path)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    int status = 0;
    if (!in) return cli_complain("cannot read the config file '%s'", path);
    for (unsigned number = 1; !status && getline(&line, &capacity, in) >= 0; number++)
        status = read_config_line(options, path, number, line);
    if (ferror(in)) status = cli_complain("cannot read the config file '%s'", path);
    free(line);
    fclose(in);
    return status;
}

static int set_number(SearchArguments *options, const char *word, const char *text)
{
    double value = 0;
    if (strcmp(word, "--seed") == 0) {
        char *end;
        options->search.seed = strtoull(text, &end, 0);
        return *text && !*end ? 0 : cli_complain("'%s' is not a number", text);
    }
    bool is_zero = strcmp(text, "0") == 0 && strcmp(word, "--stdin") == 0;
    if (!is_zero && !cli_positive_number(text, &value)) return cli_complain("'%s' is not a positive number", text);
    if (strcmp(word, "--time") == 0) options->time = value;
    else if (strcmp(word, "--max-runs") == 0) options->search.max_runs = (uint64_t)value;
    else if (strcmp(word, "--work") == 0) options->search.work = (uint64_t)(value * WORK_UNIT);
    else if (strcmp(word, "--patience") == 0) options->search.patience = (uint64_t)value;
    else if (strcmp(word, "--stdin") == 0) vec_push(&options->files, ((VmSymbolicFile){"-", (uint64_t)value}));
    else if (strcmp(word, "--memory") == 0) options->search.vm.memory_limit = (uint64_t)(value * 1048576.0);
    else options->search.solve.effort = (uint64_t)value;
    return 0;
}

static int set_value(SearchArguments *options, const char *word, const char *text)
{
    if (strcmp(word, "--function") == 0) vec_push(&options->functions, text);
    else if (strcmp(word, "--concrete") == 0) vec_push(&options->concrete, text);
    else if (strcmp(word, "--log-queries") == 0) options->search.solve.log = text;
    else if (strcmp(word, "--config") == 0) return read_config(options, text);
    else if (strcmp(word, "--file") == 0) return add_file(options, text);
    else if (strcmp(word, "--env") == 0) return add_variable(options, text);
    else if (strcmp(word, "--argv") == 0) return set_arguments(options, text);
    else if (strcmp(word, "--search") == 0) return set_strategy(options, text);
    else if (strcmp(word, "--tiers") == 0) return set_tiers(options, text);
    else return set_number(options, word, text);
    return 0;
}

static const char *const with_value[] = {"--function", "--concrete", "--log-queries",   "--config",   "--file",    "--search",
                                         "--tiers",    "--time",     "--argv",          "--max-runs", "--seed",    "--stdin",
                                         "--env",      "--memory",   "--solver-effort", "--work",     "--patience"};

bool search_option_known(const char *word)
{
    for (size_t k = 0; k < COUNT_OF(with_value); k++)
        if (strcmp(word, with_value[k]) == 0) return true;
    return strcmp(word, "--first-bug") == 0 || strcmp(word, "--no-summaries") == 0 || strcmp(word, "--summaries") == 0 ||
           strcmp(word, "--revisit") == 0 || strcmp(word, "--no-loops") == 0;
}

int search_option_parse(SearchArguments *arguments, int argc, char **argv, int *i)
{
    const char *word = argv[*i], *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    if (strcmp(word, "--first-bug") == 0) {
        arguments->search.first_bug = true;
        return 0;
    }
    if (strcmp(word, "--revisit") == 0) {
        arguments->search.revisits = true;
        return 0;
    }
    if (strcmp(word, "--no-loops") == 0) {
        arguments->search.no_loops = true;
        return 0;
    }
    if (strcmp(word, "--no-summaries") == 0) {
        arguments->no_summaries = true;
        return 0;
    }
    if (strcmp(word, "--summaries") == 0) {
        arguments->always_summaries = true;
        return 0;
    }
    if (!next) return cli_complain("%s needs a value", word);
    ++*i;
    return set_value(arguments, word, next);
}

void search_options_finish(SearchArguments *arguments, const Sources *sources)
{
    static const char *environment[] = {"PATH=" PROGRAM_PATH, "HOME=" PROGRAM_HOME, NULL};
    VmOptions *vm = &arguments->search.vm;
    arguments->arguments.data[0] = cli_program_name(sources->files.data[0]);
    vm->argc = arguments->arguments.len;
    vm->argv = arguments->arguments.data;
    vm->quiet_output = true;
    if (arguments->always_summaries) arguments->search.strategy = SEARCH_SUMMARIES;
    bool is_auto = arguments->search.strategy == SEARCH_AUTO;
    arguments->search.summaries = is_auto && !arguments->no_summaries && !arguments->search.solve.log; /* one process writes the log */
    vm->symbolic_files = arguments->files.data;
    vm->symbolic_file_count = arguments->files.len;
    vm->environment = environment;
    vm->symbolic_environment = arguments->environment.data;
    vm->symbolic_environment_count = arguments->environment.len;
    vm->concrete = arguments->concrete.data;
    vm->concrete_count = arguments->concrete.len;
    vm->partitions = arguments->partitions.data;
    vm->partition_count = arguments->partitions.len;
}
