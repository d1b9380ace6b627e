/* What the files of emit/ share. */
#ifndef CLEW_EMIT_INT_H
#define CLEW_EMIT_INT_H

#include "emit/emit.h"

/* One call of emit_suite. */
typedef struct Suite {
    Ledger *ledger;
    const Decls *decls;
    const Units *units;
    const EmitOptions *options;
    char *root;             /* the ledger's directory, absolute and without links */
    NameMap known, written; /* files below it: in the manifest already; written by this call */
    Vec(char *) files;      /* the written ones, in order */
    Map first_branch;       /* of the branches that a test covers, by the test's id; the next one by branch */
    Vec(uint32_t) next_branch;
    Error *error;
} Suite;

/* The tests of one unit that go to one file. */
typedef struct Batch {
    const char *unit;
    char *word;          /* the unit's name as a word of C: part of file names */
    const Unit *plan;    /* NULL: a whole program */
    uint32_t source;     /* that defines it; UINT32_MAX: none that a C compiler reads */
    Vec(uint32_t) tests; /* indices in the ledger */
    Vec(uint32_t) bugs;  /* the same, of those that end in a bug */
} Batch;

/* ---- files.c: writing below the root, the manifest ---- */
void emit__open_manifest(Suite *suite);
/* `path` is relative to the root; a file that has that text already is left as it is. */
Status emit__write(Suite *suite, const char *path, const StrBuf *text);
Status emit__write_text(Suite *suite, const char *path, const char *text);
/* Removes what the manifest knows and this call has not written, and writes the manifest anew. */
Status emit__close_manifest(Suite *suite);
Status emit__read(const char *path, StrBuf *text, Error *error);

/* ---- paths.c ---- */
char *emit__absolute(const char *directory, const char *path); /* without links if it exists; the caller's to free */
char *emit__relative(const char *from, const char *to);        /* from a directory to a file; both absolute */
char *emit__source_path(const Decls *decls, uint32_t source);  /* absolute */
bool emit__has_suffix(const char *text, const char *suffix);
void emit__shell_word(StrBuf *out, const char *word); /* quoted if it must be */
void emit__make_word(StrBuf *out, const char *word);  /* the same, for a recipe or a variable of a makefile */

/* ---- text.c: pieces of C ---- */
/* A string literal, one line for each line of the text, later lines indented by `indent`. */
void emit__string(StrBuf *out, const void *bytes, size_t n, unsigned indent);
void emit__comment_text(StrBuf *out, const char *text);
char *emit__word(const char *text);
void emit__float(StrBuf *out, uint32_t width, U128 bits); /* as C and as strtod read it back: "0.5", "0x1.8p-3" */
void emit__decimal(StrBuf *out, U128 bits, uint32_t width, bool is_signed);

/* ---- inputs.c: the inputs of a record, put together again ---- */
typedef struct Group {
    char *name; /* without "[i]" */
    bool array;
    uint32_t first, count; /* inputs of the record */
} Group;
typedef Vec(Group) Groups;
void emit__groups(const Record *record, Groups *groups);
void emit__release_groups(Groups *groups);
/* The group's bytes as they lie in memory. */
void emit__group_bytes(const Record *record, const Group *group, StrBuf *out);

typedef struct Text {
    char *name;
    StrBuf bytes;
} Text;
/* What a whole program finds around it, and what is left: inputs it asks for itself. */
typedef struct World {
    Vec(Text) files, variables; /* variables: `bytes` is the value */
    Vec(char *) unset;
    StrBuf input; /* standard input */
    bool has_input;
    uint32_t fixed_arguments, argument_count; /* argc; those from fixed_arguments on are `arguments` */
    Vec(StrBuf) arguments;
    Groups asked;
} World;
void emit__world(const Record *record, uint32_t fixed_arguments, World *world);
void emit__release_world(World *world);

/* ---- build.c ---- */
bool emit__defines_main(const Decls *decls, uint32_t source);
const CFunction *emit__main(const Decls *decls, uint32_t source); /* NULL: none */
const Unit *emit__unit(const Units *units, const char *name);
uint32_t emit__unit_source(const Decls *decls, const Units *units, const char *name); /* UINT32_MAX: none that a C compiler reads */
bool emit__asks_for_inputs(const Decls *decls, const Units *units);                   /* does some source of the program? */
char *emit__relative_flag(const char *flag, const char *directory);
bool emit__is_linked(const Decls *decls, uint32_t source); /* as one of the other sources of a test */

/* ---- program.c: tests of whole programs ---- */
/* Before the source that defines main, and after it. */
void emit__main_declaration(const CFunction *main_function, StrBuf *out);
void emit__program_prelude(const Suite *suite, uint32_t source, StrBuf *out);
/* The inputs that a function under test asks for by calls. */
void emit__unit_inputs(const CFunction *function, const Record *record, StrBuf *out);
void emit__program_body(const Suite *suite, const Record *record, bool is_bug, StrBuf *out);

/* ---- c_tests.c: files of C ---- */
typedef struct Style {
    const char *directory; /* "tests" */
    const char *check;
    bool cmocka;
} Style;
Status emit__c_suite(Suite *suite, const Style *style, const Batch *batches, uint32_t count);
char *emit__bug_word(const Suite *suite, const Batch *batch, uint32_t test); /* "bug_3_parse" */
void emit__set_written(Suite *suite, uint32_t test, const char *path, const char *name);

/* ---- libraries.c ---- */
void emit__libraries(const Decls *decls, const EmitOptions *options, EmitLibraries *libraries); /* the user's, then the system's */
/* ---- makefile.c ---- */
Status emit__makefile(Suite *suite, const Style *style, const Batch *batches, uint32_t count);
/* The command that compiles and links a file in that directory, with `extra` flags; false, and nothing added, if one command is not enough. */
bool emit__command(const Suite *suite, const Batch *batch, const char *directory, const char *file, const char *extra, StrBuf *out);

/* ---- fails.c ---- */
void emit__fails_code(const EmitOptions *options, StrBuf *out); /* clew_fail.c */

/* ---- clock.c ---- */
bool emit__looks_at_clock(const Decls *decls, const EmitOptions *options); /* is there a clew_clock.c? */
void emit__wrap_clock(const Decls *decls, const EmitOptions *options, EmitLibraries *libraries);
void emit__clock_code(const Decls *decls, const EmitOptions *options, StrBuf *out); /* clew_clock.c */

/* ---- other formats ---- */
Status emit__testcomp(Suite *suite, const Batch *batch);
Status emit__ktest(Suite *suite, const Batch *batch);
Status emit__corpus(Suite *suite, const Batch *batch);

/* sha256.c */
void emit__sha256(const void *bytes, size_t n, char hex[65]);

/* templates */
extern const char emit__test_header[], emit__test_code[], emit__inputs_code[];
extern const char emit__calls_code[]; /* follows emit__test_code in clew_test.c */

#endif
