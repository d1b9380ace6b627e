/* verified: which executions do the results of a verifier leave unverified?  (Christakis, Müller, Wüstholz: Guiding Dynamic Symbolic Execution toward
 * Unverified Program Executions, ICSE 2016.)
 *
 * A verifier that makes assumptions without checking them gives each assumption a *name*, and each assertion a *supposition*: the formula over names under
 * which the assertion is verified.  While the program is executed, a name is true as long as everything that was assumed under it has held.  An execution
 * is *verified* if the supposition of each assertion that it meets is true there.
 *
 * This module knows nothing of programs.  It is given a graph of points that update names and meet assertions, and infers for each point
 *
 *   - the *may-unverified* condition: where it is false, everything that can follow is verified, so the execution need not go on;
 *   - the *must-unverified* condition: where it is true, every execution from there meets an assertion, and none of the suppositions that it meets is true.
 *     Assertions that are verified whatever was assumed do not count, as in the paper, nor do those of POINT_CHECK and those that rest only on names of
 *     inference_passed.
 *
 * Conditions are truth tables over the names. */
#ifndef CLEW_VERIFIED_H
#define CLEW_VERIFIED_H

#include "base/base.h"

/* A truth table has one bit for each combination of the names; the table of 10 names takes 128 bytes at each point. */
enum { VERIFIED_MOST_NAMES = 10, TABLE_WORDS = (1 << VERIFIED_MOST_NAMES) / 64 };

typedef struct Table {
    uint64_t words[TABLE_WORDS];
} Table;

Table table_constant(bool value);
Table table_name(uint32_t name); /* true where the name is */
Table table_and(Table a, Table b);
Table table_or(Table a, Table b);
Table table_not(Table a);
Table table_with(Table t, uint32_t name, bool value); /* t, with the value in place of the name */
bool table_equal(Table a, Table b);
bool table_is(Table t, bool value);                                               /* for all combinations of the names */
bool table_depends(Table t, uint32_t name);                                       /* on this name */
void table_print(Table t, const char *const *names, uint32_t count, StrBuf *out); /* as an expression in C */

/* Reads a formula of names, `&&`, `||`, `true`, `false` and parentheses.  `name_of` gives the number of a name, NAME_UNKNOWN if there is no such name, or
 * NAME_FALSE if nothing may rest on it.
 * On failure the message says what is wrong, and where in the text. */
enum { NAME_UNKNOWN = UINT32_MAX, NAME_FALSE = UINT32_MAX - 1 };
Status formula_parse(const char *text, uint32_t (*name_of)(void *data, const char *name), void *data, Table *formula, Error *error);

typedef enum PointKind {
    POINT_PLAIN,
    POINT_BEGIN,  /* the name becomes true */
    POINT_UPDATE, /* the name stays true only if what is assumed under it holds: it may become false here */
    POINT_ASSERT, /* an assertion is met */
    POINT_CHECK /* likewise, but the verdict is about a check and rests only on that check being passed: it says nothing of executions that pass it */
} PointKind;

typedef struct Inference Inference;
Inference *inference_new(void);
void inference_free(Inference *inference);
uint32_t inference_add(Inference *inference, PointKind kind, uint32_t name, Table supposition); /* the number of the new point */
void inference_edge(Inference *inference, uint32_t from, uint32_t to);                          /* execution may go on there */
void inference_end(Inference *inference, uint32_t point);                                       /* execution may end after the point */
void inference_start(Inference *inference, uint32_t point); /* execution may start there, all names being true */
/* Only checks that end an execution which fails them are assumed to be passed under the name, so an execution that goes on has not made it false. */
void inference_passed(Inference *inference, uint32_t name);
Table inference_with_passed(const Inference *inference, Table t); /* t, with these names true */
void inference_solve(Inference *inference);

/* After inference_solve: what holds before the point does what it does, given the values that the names can have there. */
Table inference_may(const Inference *inference, uint32_t point);
Table inference_must(const Inference *inference, uint32_t point);
/* Is there a point before this one whose condition says something else?  Where not, testing the condition here again would show nothing. */
bool inference_may_changes(const Inference *inference, uint32_t point);
bool inference_must_changes(const Inference *inference, uint32_t point);

/* ---- results of a verifier, from a file (results.c; the form is described in docs/verified.md) ---- */

typedef enum ImplicitCheck {
    IMPLICIT_NONE,
#define CHECK(identifier, name) IMPLICIT_##identifier,
#include "verified/checks.def"
#undef CHECK
    IMPLICIT_CHECKS
} ImplicitCheck;
const char *check_name(ImplicitCheck check);
bool check_allocates(const char *function); /* does the function of the C library return memory that it has allocated, or NULL? */

typedef struct ResultVariable { /* of the code under test, in a condition */
    char *name, *type;
    uint32_t line;
    bool is_static, is_parameter;
    bool by_address; /* the condition is given its address */
} ResultVariable;

typedef struct Annotation {
    bool is_assumption;  /* else a verdict: on an assertion, on a check, or on the condition */
    ImplicitCheck check; /* that the assumption or the verdict is about */
    char *condition;     /* in C; NULL: that of the check, or of the assertion that stands there */
    char *text;          /* the name under which it is assumed, or the supposition */
    char *file;
    uint32_t line, column; /* column 0: any */
    const char *origin;    /* the file of results */
    bool
        is_own; /* The annotation comes from Clew's own analysis.  If the code has no place for it, nobody is told, and other verdicts still count. */
    bool
        is_converted; /* The annotation comes from a table of another tool, which may speak of checks that the compiler makes no code of; then likewise. */
    char *property; /* of a converted annotation about a check: what it says of the line, in the tool's words; else NULL */
    bool refused;
    /* Filled in by front/, which knows the code: */
    uint32_t source; /* the number of the source that `file` names; UINT32_MAX: no source, or several, have that name */
    bool is_found;
    Vec(ResultVariable) variables; /* parameters of the function that computes the condition */
    Vec(char *) olds;              /* the expressions in old(…) of the condition, which are evaluated where its function starts */
} Annotation;

typedef struct ResultFile { /* the version of a file that results are about */
    char *file;
    uint64_t hash;
    const char *origin;
} ResultFile;

typedef struct Results {
    Vec(Annotation) annotations;
    Vec(ResultFile) files;
    Vec(char *) origins;
    bool told_context;
} Results;

/* The name that all verdicts of Frama-C rest on: the state, the calls and the contracts that Frama-C was started with are those of the execution.  Frama-C's
 * table does not say what they are, so the name is false unless something is assumed under it. */
#define FRAMA_C_CONTEXT "frama_c_context"

/* Adds the results of a file, in the form of docs/verified.md or that of Frama-C's -report-csv.  On failure none is added. */
Status results_read(const char *path, Results *results, Error *error);
/* Could a property that Frama-C names in its table be about the line?  Its table has no hash of the source. */
bool frama_c_speaks_of(const char *property, const char *line);
void results_add(Results *results, Annotation annotation); /* its texts are copied */
void results_release(Results *results);
/* The annotation cannot be used; the message, NULL for none, says why. */
void results_refuse(Annotation *annotation, const char *message);
/* Something that is assumed under the name cannot be tested, so it must not be taken to hold. */
bool results_doubt(const Results *results, const char *name);
void results_lack_context(Results *results); /* Nothing is assumed under FRAMA_C_CONTEXT.  If that matters, a message says so once. */
uint64_t results_hash(const char *bytes, size_t count); /* FNV-1a of 64 bits: of a version of a file */

/* ---- alarms of other tools (alarms.c) ---- */

enum { ALARM_KINDS = 3 }; /* at most, of one alarm */

typedef struct Alarm {
    char *tool, *rule, *message, *file;
    uint32_t line;
    const char *const
        *kinds; /* of bugs, as a ledger names them, that would confirm the alarm, up to a NULL; none: Clew makes no such check */
} Alarm;
typedef Vec(Alarm) Alarms;

/* Adds the alarms of a file that cppcheck (--xml), clang's analyzer (SARIF), gcc (-fdiagnostics-format=json or SARIF) or Frama-C (-report-csv) has written.
 * On failure none is added. */
Status alarms_read(const char *path, Alarms *alarms, Error *error);
void alarms_release(Alarms *alarms);

#endif
