/* front_survey: which files of a project are tested together.
 *
 * A project has more than one program: tests, examples, tools, each with a `main`, and files that do not compile here.  Every file is parsed
 * once, to learn whether it compiles, whether it has a `main`, and what it defines for others.  Then, in this order, are left aside:
 *   1. files in folders of tests, examples, documents and other people's code, files with a `main` that are named like tests or examples, and files whose whole name is
 *      such a word;
 *   2. files that do not compile, after headers of the project that they miss were searched in its other folders;
 *   3. files that another one includes, if that one then defines the same functions;
 *   4. files with a `main`, where there are several and other files too;
 *   5. of two files that define the same function the later one.
 * A file that defines a function which the user names is never left aside by rules 1 and 4 while its main is the only one.  Files
 * that the user names one by one are all kept, and must compile.  Nothing is left aside by rule 1 if nothing else would remain. */
#include "front/declare_int.h"
#include "front/project_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_REPAIRS = 16 }; /* folders of headers that are added to a file; guess */

typedef struct Definition {
    const char *name;
    const char *file; /* where it stands, as a real path; NULL: in the source itself */
} Definition;

typedef struct Candidate { /* a source, with what its parsing told */
    Source *source;
    const char *relative; /* to the folder that all of them share */
    char *real;           /* absolute; NULL: there is no such file */
    bool has_main, is_wanted, is_out;
    Vec(Definition) definitions; /* functions and variables that other files see */
} Candidate;

struct FrontProject {
    Arena arena;
    ProjectFiles files;
    Vec(Candidate) candidates;
    Sources headers; /* that are sources; see add_headers */
    Sources kept;    /* what is tested; its texts are those of `files` and `headers` */
    Vec(const char *) notes;
    uint32_t found, aside; /* how many files there were, how many were left aside for what they are */
    StrBuf aside_names;
};

typedef struct Survey {
    FrontProject *project;
    const FrontOptions *options;
    const char *const *functions;
    uint32_t function_count;
    Parser parser;
    char *here;
    Candidate *current;
} Survey;

static void note(FrontProject *project, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(FrontProject *project, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    vec_push(&project->notes, arena_strdup(&project->arena, text));
}

/* ---- paths ---- */

static char *real_path(const Source *source)
{
    char *joined = source->path[0] == '/' || !source->directory ? mem_strdup(source->path)
                                                                : mem_format("%s/%s", source->directory, source->path);
    char *real = realpath(joined, NULL);
    free(joined);
    return real;
}

/* How much of their paths all found files share, up to a slash. */
static size_t common_length(const FrontProject *project)
{
    const char *first = NULL;
    size_t common = 0;
    for (uint32_t i = 0; i < project->candidates.len; i++) {
        const Candidate *c = &project->candidates.data[i];
        if (!c->real || !c->source->found) continue;
        if (!first) {
            first = c->real;
            common = strlen(first);
        }
        size_t n = 0;
        while (n < common && first[n] == c->real[n]) n++;
        common = n;
    }
    while (common > 0 && first[common - 1] != '/') common--;
    return common;
}

static void list_candidates(FrontProject *project, const FrontOptions *options)
{
    Sources *sources = &project->files.sources;
    for (uint32_t i = 0; i < sources->list.len; i++) {
        Candidate candidate = {.source = &sources->list.data[i], .real = real_path(&sources->list.data[i])};
        vec_push(&project->candidates, candidate);
    }
    size_t common = common_length(project);
    char *root = options->file_count == 1 && !project->files.database ? realpath(options->files[0], NULL) : NULL;
    if (root && strlen(root) + 1 < common) common = strlen(root) + 1; /* `clew test DIR` where all files are in DIR/examples */
    free(root);
    for (uint32_t i = 0; i < project->candidates.len; i++) {
        Candidate *c = &project->candidates.data[i];
        c->relative = c->real && c->source->found ? c->real + common : c->source->path;
        project->found += c->source->found;
    }
}

/* ---- parsing ---- */

static bool is_named(const Survey *s, const char *function)
{
    for (uint32_t i = 0; i < s->function_count; i++) {
        const char *colon = strrchr(s->functions[i], ':');
        if (strcmp(colon ? colon + 1 : s->functions[i], function) == 0) return true;
    }
    return false;
}

static const char *file_of(Survey *s, CXCursor cursor)
{
    CXFile file;
    CXSourceLocation location = clang_getCursorLocation(cursor);
    if (clang_Location_isFromMainFile(location)) return NULL;
    clang_getFileLocation(location, &file, NULL, NULL, NULL);
    return file ? declare__keep(&s->project->arena, clang_File_tryGetRealPathName(file)) : NULL;
}

static enum CXChildVisitResult note_definition(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    Survey *s = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool is_function = kind == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor);
    bool is_variable = kind == CXCursor_VarDecl && declare__defines(cursor);
    if (!(is_function || is_variable) || clang_Location_isInSystemHeader(clang_getCursorLocation(cursor))) return CXChildVisit_Continue;
    bool external = clang_getCursorLinkage(cursor) == CXLinkage_External;
    const char *name = declare__keep(&s->project->arena, clang_getCursorSpelling(cursor));
    if (is_function && is_named(s, name)) s->current->is_wanted = true;
    if (!external || (is_function && clang_Cursor_isFunctionInlined(cursor))) return CXChildVisit_Continue;
    if (is_function && strcmp(name, "main") == 0) s->current->has_main = true;
    else vec_push(&s->current->definitions, ((Definition){name, file_of(s, cursor)}));
    return CXChildVisit_Continue;
}

/* "x.c:3:10: 'sub/a.h' file not found; …": which header of the project is it?  The one with the shortest path.  NULL: none. */
static const char *missing_header(const FrontProject *project, const char *complaint, size_t *stem)
{
    const char *end = strstr(complaint, "' file not found"), *start = end;
    const char *best = NULL;
    while (start && start > complaint && start[-1] != '\'') start--;
    if (!start || start == complaint) return NULL;
    size_t n = (size_t)(end - start);
    for (uint32_t i = 0; i < project->files.headers.len; i++) {
        const char *path = project->files.headers.data[i];
        size_t length = strlen(path);
        bool fits = length >= n && strncmp(path + length - n, start, n) == 0 && (length == n || path[length - n - 1] == '/');
        if (!fits || (best && strlen(best) <= length)) continue;
        best = path;
        *stem = length - n;
    }
    return best;
}

static bool add_include(Survey *s, Source *source, const char *complaint)
{
    size_t stem = 0;
    const char *header = missing_header(s->project, complaint, &stem);
    if (!header || source->is_bitcode) return false;
    char *flag = stem > 1 ? mem_format("-I%.*s", (int)stem - 1, header) : mem_strdup(stem ? "-I/" : "-I.");
    for (uint32_t i = 0; i < source->flag_count; i++)
        if (strcmp(source->flags[i], flag) == 0) {
            free(flag);
            return false;
        }
    char **flags = mem_alloc((source->flag_count + 1) * sizeof *flags);
    if (source->flag_count) memcpy(flags, source->flags, source->flag_count * sizeof *flags);
    flags[source->flag_count++] = flag;
    free(source->flags);
    source->flags = flags;
    return true;
}

/* Fails only for a file that the user has named. */
static Status parse(Survey *s, Candidate *c, Error *error)
{
    CXTranslationUnit unit;
    Error complaint = {0};
    Status status = FAILED;
    for (uint32_t round = 0; status != OK && round < MOST_REPAIRS; round++) {
        CSource entry = {0};
        declare__list_source(&s->project->arena, s->options, c->source, &entry);
        status = declare__parse(&s->project->arena, &s->parser, &entry, s->here, &unit, &complaint);
        if (status != OK && !add_include(s, c->source, complaint.text)) break;
    }
    if (status == OK) {
        s->current = c;
        clang_visitChildren(clang_getTranslationUnitCursor(unit), note_definition, s);
        clang_disposeTranslationUnit(unit);
        return OK;
    }
    if (!c->source->found) return fail(error, "%s", complaint.text);
    char *end = strstr(complaint.text, "; cannot read ");
    if (end) *end = 0;
    c->is_out = true;
    note(s->project, "%s is left out: %s", c->source->path, complaint.text);
    return OK;
}

/* ---- what is left aside ---- */

static uint32_t count_in(const FrontProject *project)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < project->candidates.len; i++) n += !project->candidates.data[i].is_out;
    return n;
}

static void set_aside(FrontProject *project, Candidate *c)
{
    enum { MOST_NAMES = 4 };
    c->is_out = true;
    if (project->aside++ < MOST_NAMES) strbuf_addf(&project->aside_names, "%s%s", project->aside > 1 ? ", " : "", c->relative);
    else if (project->aside == MOST_NAMES + 1) strbuf_add(&project->aside_names, ", …");
}

/* Sets aside what `fits` unless nothing would remain. */
static void set_aside_all(FrontProject *project, bool (*fits)(const Candidate *))
{
    uint32_t rest = 0;
    for (uint32_t i = 0; i < project->candidates.len; i++)
        rest += !project->candidates.data[i].is_out && !fits(&project->candidates.data[i]);
    for (uint32_t i = 0; rest && i < project->candidates.len; i++) {
        Candidate *c = &project->candidates.data[i];
        if (!c->is_out && fits(c)) set_aside(project, c);
    }
}

static bool is_in_side_folder(const Candidate *c)
{
    return c->source->found && front__in_side_folder(c->relative);
}

static bool is_side_file(const Candidate *c)
{
    bool fuzz = false;
    for (uint32_t i = 0; i < c->definitions.len; i++) fuzz |= strcmp(c->definitions.data[i].name, "LLVMFuzzerTestOneInput") == 0;
    if (!c->source->found || c->is_wanted) return false;
    return front__is_side_name(c->relative) || ((c->has_main || fuzz) && front__has_side_name(c->relative));
}

static bool is_program(const Candidate *c)
{
    return c->has_main && c->source->found && !c->is_wanted;
}

static bool defines(const Candidate *c, const char *name)
{
    for (uint32_t i = 0; i < c->definitions.len; i++)
        if (strcmp(c->definitions.data[i].name, name) == 0) return true;
    return false;
}

/* Does `outer` define, from the file of `inner`, which it includes, what that file defines by itself? */
static bool swallows(const Candidate *outer, const Candidate *inner)
{
    for (uint32_t i = 0; i < outer->definitions.len; i++) {
        const Definition *d = &outer->definitions.data[i];
        if (d->file && inner->real && strcmp(d->file, inner->real) == 0 && defines(inner, d->name)) return true;
    }
    return false;
}

/* Is it one of several programs?  Then it will be left aside, and what it includes is tested by itself: it may join all files of a library. */
static bool is_one_of_several(const FrontProject *project, const Candidate *program)
{
    bool several = false;
    for (uint32_t i = 0; i < project->candidates.len && is_program(program); i++) {
        const Candidate *other = &project->candidates.data[i];
        several |= other != program && !other->is_out && other->has_main && !swallows(program, other);
    }
    return several;
}

static void leave_included(FrontProject *project)
{
    for (uint32_t i = 0; i < project->candidates.len; i++) {
        Candidate *inner = &project->candidates.data[i];
        for (uint32_t k = 0; k < project->candidates.len && !inner->is_out && inner->source->found; k++) {
            const Candidate *outer = &project->candidates.data[k];
            if (k == i || outer->is_out || !swallows(outer, inner) || (!inner->has_main && is_one_of_several(project, outer))) continue;
            note(project, "%s is left out: %s includes it", inner->source->path, outer->source->path);
            inner->is_out = true;
        }
    }
}

/* The names of files without a main come first. */
static void leave_duplicates(FrontProject *project)
{
    NameMap owners = {0};
    for (int programs = 0; programs < 2; programs++) {
        for (uint32_t i = 0; i < project->candidates.len; i++) {
            Candidate *c = &project->candidates.data[i];
            if (c->is_out || c->has_main != (programs == 1)) continue;
            const uint32_t *owner = NULL;
            const char *name = NULL;
            for (uint32_t k = 0; k < c->definitions.len && !owner; k++) {
                name = c->definitions.data[k].name;
                owner = names_find(&owners, name);
                if (owner && *owner == i) owner = NULL; /* a variable without a value may be defined twice in a file */
            }
            if (owner && c->source->found) {
                note(project, "%s is left out: it defines %s, as %s does", c->source->path, name,
                     project->candidates.data[*owner].source->path);
                c->is_out = true;
                continue;
            }
            for (uint32_t k = 0; k < c->definitions.len; k++) names_put(&owners, c->definitions.data[k].name, i);
        }
    }
    names_release(&owners);
}

static uint32_t count_mains(const FrontProject *project)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < project->candidates.len; i++) n += project->candidates.data[i].has_main && !project->candidates.data[i].is_out;
    return n;
}

/* Two files with a main that are both wanted, or nothing but programs: the user has to say which. */
static Status leave_programs(FrontProject *project, Error *error)
{
    if (count_mains(project) > 1) set_aside_all(project, is_program);
    if (count_mains(project) <= 1) return OK;
    StrBuf names = {0};
    for (uint32_t i = 0; i < project->candidates.len && names.len < 300; i++) {
        const Candidate *c = &project->candidates.data[i];
        if (c->has_main && !c->is_out) strbuf_addf(&names, "%s%s", names.len ? ", " : "", c->source->path);
    }
    fail(error, "these are several programs, for each of them has a main: %s; name the files of one", names.text);
    strbuf_release(&names);
    return FAILED;
}

/* ---- libraries that are all header ---- */

static bool defines_functions(Survey *s, Source *source)
{
    Candidate probe = {.source = source};
    Error ignored;
    uint32_t notes = s->project->notes.len;
    source->found = true;
    bool good = parse(s, &probe, &ignored) == OK && !probe.is_out && probe.definitions.len && !probe.has_main;
    s->project->notes.len = notes;
    vec_release(&probe.definitions);
    return good;
}

/* Where no .c file is left, headers that define functions which others see are the sources. */
static void add_headers(Survey *s)
{
    FrontProject *project = s->project;
    for (uint32_t i = 0; i < project->files.headers.len; i++) {
        const char *path = project->files.headers.data[i];
        Source source = {.path = mem_strdup(path)};
        if (!front__in_side_folder(path) && defines_functions(s, &source)) vec_push(&project->headers.list, source);
        else free(source.path);
    }
    for (uint32_t i = 0; i < project->headers.list.len; i++) vec_push(&project->kept.list, project->headers.list.data[i]);
    for (uint32_t i = 0; i < project->candidates.len && project->kept.list.len; i++) set_aside(project, &project->candidates.data[i]);
}

static bool all_aside(const FrontProject *project)
{
    for (uint32_t i = 0; i < project->candidates.len; i++) {
        const Candidate *c = &project->candidates.data[i];
        if (!c->source->found || !(front__in_side_folder(c->relative) || front__has_side_name(c->relative))) return false;
    }
    return !project->files.database;
}

/* ---- the whole ---- */

static Status decide(Survey *s, Error *error)
{
    FrontProject *project = s->project;
    if (all_aside(project)) add_headers(s);
    if (project->kept.list.len) return OK;
    if (!s->function_count) set_aside_all(project, is_in_side_folder);
    for (uint32_t i = 0; i < project->candidates.len; i++)
        if (!project->candidates.data[i].is_out && !project->candidates.data[i].source->is_bitcode &&
            parse(s, &project->candidates.data[i], error) != OK)
            return FAILED;
    if (!count_in(project))
        return project->notes.len
                   ? fail(error, "no file of the project can be read; %s", project->notes.data[0])
                   : fail(error, "%s has neither compile_commands.json nor .c files; name the files to test", s->options->files[0]);
    for (uint32_t i = 0; s->function_count && i < project->candidates.len; i++) {
        Candidate *c = &project->candidates.data[i];
        if (!c->is_out && !c->is_wanted && is_in_side_folder(c)) set_aside(project, c);
    }
    set_aside_all(project, is_side_file);
    leave_included(project);
    if (leave_programs(project, error) != OK) return FAILED;
    leave_duplicates(project);
    for (uint32_t i = 0; i < project->candidates.len; i++)
        if (!project->candidates.data[i].is_out) vec_push(&project->kept.list, *project->candidates.data[i].source);
    return OK;
}

static bool is_project(const FrontOptions *options)
{
    for (uint32_t i = 0; i < options->file_count; i++) {
        const char *dot = strrchr(options->files[i], '.');
        char *inside = mem_format("%s/.", options->files[i]);
        bool directory = access(inside, F_OK) == 0;
        free(inside);
        if (directory || (dot && strcmp(dot, ".json") == 0)) return true;
    }
    return false;
}

Status front_survey(const FrontOptions *options, const char *const *functions, uint32_t count, FrontProject **project, Error *error)
{
    *project = NULL;
    if (!is_project(options)) return OK;
    FrontProject *p = mem_alloc(sizeof *p);
    Status status = front__project_files(options, &p->files, error);
    if (status == OK) {
        Survey survey = {.project = p, .options = options, .functions = functions, .function_count = count, .here = getcwd(NULL, 0)};
        if (!survey.here) survey.here = mem_strdup("");
        survey.parser = declare__start_parser();
        list_candidates(p, options);
        status = decide(&survey, error);
        declare__stop_parser(&survey.parser);
        free(survey.here);
    }
    if (status == OK) *project = p;
    else front_project_free(p);
    return status;
}

void front_project_free(FrontProject *project)
{
    if (!project) return;
    for (uint32_t i = 0; i < project->candidates.len; i++) {
        free(project->candidates.data[i].real);
        vec_release(&project->candidates.data[i].definitions);
    }
    vec_release(&project->candidates);
    vec_release(&project->kept.list);
    vec_release(&project->notes);
    strbuf_release(&project->aside_names);
    front__release_sources(&project->headers);
    front__project_files_release(&project->files);
    arena_release(&project->arena);
    free(project);
}

const char *const *front_project_notes(const FrontProject *project, uint32_t *count)
{
    *count = project->notes.len;
    return project->notes.data;
}

void front_project_describe(const FrontProject *project, StrBuf *out)
{
    strbuf_addf(out, "%u C file%s%s", project->found, project->found == 1 ? "" : "s",
                project->files.database ? " in compile_commands.json" : "");
    if (project->aside) strbuf_addf(out, "; %u left aside as tests, examples or programs: %s", project->aside, project->aside_names.text);
}

/* Each caller gets texts of its own. */
void front__project_sources(const FrontProject *project, Sources *sources)
{
    for (uint32_t i = 0; i < project->kept.list.len; i++) {
        const Source *from = &project->kept.list.data[i];
        Source source = {.path = mem_strdup(from->path), .is_bitcode = from->is_bitcode, .found = from->found};
        source.directory = from->directory ? mem_strdup(from->directory) : NULL;
        source.bitcode = from->is_bitcode ? mem_strdup(from->path) : NULL;
        source.flag_count = from->flag_count;
        source.flags = mem_alloc((from->flag_count + 1) * sizeof *source.flags);
        for (uint32_t k = 0; k < from->flag_count; k++) source.flags[k] = mem_strdup(from->flags[k]);
        vec_push(&sources->list, source);
    }
}
