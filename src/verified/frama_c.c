/* Results of Frama-C: the table of properties that `-report-csv` writes, whichever of its plug-ins (Eva, WP) has judged them.
 *
 *     directory  file  line  function  property kind        status   property
 *     .          a.c   12    f         signed_overflow      Valid    x + 1 ≤ 2147483647
 *
 * Properties that say the same as a check of Clew's machine, or are the condition of an `assert`, become verdicts and alarms.  A place (a kind of check on a
 * line) is verified if each property there is proved.  Frama-C judges what comes after a property as if the property had held, and does not say
 * so in its table: Eva calls an assertion valid that only an overflow before it can break.  So each verdict of a file rests on all properties of the file that are not proved:
 *
 *     a check that ends an execution which fails it (null, bounds, division)    its name, in the function itself
 *     overflow and shift                                                        its name; where functions are tested one by one and the
 *                                                                               property is another function's, the verdict is not used
 *     what Clew's machine does not check                                        no verdict of the file is used
 *
 * And each verdict rests on FRAMA_C_CONTEXT: the initial state, the calls and the contracts that Frama-C was started with, which its table does not say. */
#include "verified/verified_int.h"

#include <ctype.h>
#include <stdlib.h>

static const char header[] = "directory\tfile\tline\tfunction\tproperty kind\tstatus\tproperty";

typedef enum Role {
    ROLE_CHECK,     /* a check of Clew's machine, or an assertion */
    ROLE_ENDS,      /* no verdict of its own, but an execution that fails it ends in Clew's machine */
    ROLE_UNCHECKED, /* the machine has no check for the property, so an execution that breaks it goes unnoticed */
    ROLE_LIBRARY    /* a contract of Frama-C's own library */
} Role;

typedef struct Property {
    char *file; /* owned */
    const char *function, *kind, *status, *text;
    uint32_t line;
    Role role;
    ImplicitCheck checks[2]; /* with ROLE_CHECK: the machine's checks that say the same; an assertion has IMPLICIT_NONE in the first */
    bool is_proved;
} Property;
typedef Vec(Property) Properties;

typedef struct Rows {
    char *text; /* of the file, cut into the words that the properties point to */
    Properties properties;
} Rows;

/* ---- reading ---- */

bool frama_c_wrote(const char *text)
{
    return strncmp(text, header, strlen(header)) == 0;
}

bool frama_c_wrote_goals(const char *text)
{
    return *text == '{' && strstr(text, "\"wp:global\"");
}

Status frama_c_goals(const char *path, Error *error)
{
    return fail(error, "%s is a list of WP's goals, which names no lines; let Frama-C write the same results with -then -report-csv FILE",
                path);
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0) return true;
    return false;
}

/* "Dead": no execution comes there.  "Partially proven": proved, if other properties hold. */
static bool is_proof(const char *status)
{
    static const char *const proofs[] = {"Valid", "Partially proven", "Dead", NULL};
    return is_one_of(status, proofs);
}

static void classify(Property *p)
{
    static const struct {
        const char *kind;
        ImplicitCheck checks[2];
    } kinds[] = {{"signed_overflow", {IMPLICIT_OVERFLOW}},
                 {"division_by_zero", {IMPLICIT_DIVISION}},
                 {"shift", {IMPLICIT_SHIFT}},
                 {"mem_access", {IMPLICIT_NULL, IMPLICIT_BOUNDS}},
                 {"index_bound", {IMPLICIT_BOUNDS}},
                 {"precondition of __FC_assert", {IMPLICIT_NONE}}};
    static const char memory[] = "precondition of ", valid[] = "valid_", freeable[] = "freeable:";
    p->role = ROLE_UNCHECKED;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(p->kind, kinds[i].kind) == 0) {
            p->role = ROLE_CHECK;
            memcpy(p->checks, kinds[i].checks, sizeof p->checks);
        }
    bool is_call = strncmp(p->kind, memory, strlen(memory)) == 0;
    bool is_memory = strncmp(p->text, valid, strlen(valid)) == 0 || strncmp(p->text, freeable, strlen(freeable)) == 0;
    if (p->role == ROLE_UNCHECKED && is_call && is_memory) p->role = ROLE_ENDS;
    if (strncmp(p->file, "FRAMAC_SHARE", strlen("FRAMAC_SHARE")) == 0) p->role = ROLE_LIBRARY;
    p->is_proved = is_proof(p->status);
}

/* The next column of a row, which is cut behind that column. */
static char *column(char **at)
{
    char *word = *at;
    size_t length = strcspn(word, "\t\r");
    *at = word + length + (word[length] == '\t');
    word[length] = 0;
    return word;
}

static void read_row(char *row, Properties *properties)
{
    Property p = {0};
    char *directory = column(&row), *file = column(&row);
    p.line = (uint32_t)strtoul(column(&row), NULL, 10);
    p.function = column(&row);
    p.kind = column(&row);
    p.status = column(&row);
    p.text = column(&row);
    p.file = strcmp(directory, ".") == 0 ? mem_strdup(file) : mem_format("%s/%s", directory, file);
    classify(&p);
    if (p.line && p.role != ROLE_LIBRARY) vec_push(properties, p);
    else free(p.file);
}

/* All properties but those of Frama-C's library. */
static Rows read_rows(const char *text)
{
    Rows rows = {.text = mem_strdup(text)};
    char *rest = NULL;
    strtok_r(rows.text, "\n", &rest); /* the header */
    for (char *row; (row = strtok_r(NULL, "\n", &rest));) read_row(row, &rows.properties);
    return rows;
}

static void release(Rows *rows)
{
    for (uint32_t i = 0; i < rows->properties.len; i++) free(rows->properties.data[i].file);
    vec_release(&rows->properties);
    free(rows->text);
}

/* ---- verdicts ---- */

typedef struct Place {
    const Property *first;
    ImplicitCheck check;
    bool is_proved;
} Place;
typedef Vec(Place) Places;

static const char *const names[] = {[IMPLICIT_OVERFLOW] = "frama_c_no_overflow",
                                    [IMPLICIT_DIVISION] = "frama_c_no_zero_divisor",
                                    [IMPLICIT_SHIFT] = "frama_c_shift_fits",
                                    [IMPLICIT_NULL] = "frama_c_not_null",
                                    [IMPLICIT_BOUNDS] = "frama_c_in_bounds"};

static void add_place(Places *places, const Property *p, ImplicitCheck check)
{
    for (uint32_t i = 0; i < places->len; i++) {
        Place *place = &places->data[i];
        if (place->check != check || place->first->line != p->line || strcmp(place->first->file, p->file) != 0) continue;
        place->is_proved &= p->is_proved;
        return;
    }
    vec_push(places, ((Place){p, check, p->is_proved}));
}

static Places find_places(const Rows *rows)
{
    Places places = {0};
    for (uint32_t i = 0; i < rows->properties.len; i++) {
        const Property *p = &rows->properties.data[i];
        if (p->role != ROLE_CHECK) continue;
        add_place(&places, p, p->checks[0]);
        if (p->checks[1]) add_place(&places, p, p->checks[1]);
    }
    return places;
}

/* Properties that the verdict rests on may not have held without anything in Clew's machine showing it. */
static bool rests_on_unchecked(const Rows *rows)
{
    for (uint32_t i = 0; i < rows->properties.len; i++)
        if (rows->properties.data[i].role == ROLE_UNCHECKED && !rows->properties.data[i].is_proved) return true;
    return false;
}

static bool goes_on(ImplicitCheck check)
{
    return check == IMPLICIT_OVERFLOW || check == IMPLICIT_SHIFT;
}

static void write_supposition(const Places *places, const Place *place, bool is_unchecked, StrBuf *text)
{
    uint32_t used = 0;
    strbuf_add(text, is_unchecked ? "false" : FRAMA_C_CONTEXT);
    for (uint32_t i = 0; i < places->len && !is_unchecked; i++) {
        const Place *other = &places->data[i];
        bool counts = goes_on(other->check) || strcmp(other->first->function, place->first->function) == 0;
        if (other->is_proved || !other->check || !counts || used >> other->check & 1) continue;
        used |= 1u << other->check;
        strbuf_addf(text, " && %s", names[other->check]);
    }
}

static void add_results(const Places *places, const Place *place, bool is_unchecked, const char *origin, Results *results)
{
    Annotation a = {.check = place->check,
                    .text = (char *)names[place->check],
                    .file = place->first->file,
                    .line = place->first->line,
                    .property = place->check ? (char *)place->first->text : NULL, /* of an assertion the table only says that it is not 0 */
                    .origin = origin,
                    .is_converted = true};
    StrBuf text = {0};
    if (place->is_proved) {
        write_supposition(places, place, is_unchecked, &text);
        a.text = text.text;
        results_add(results, a);
    } else if (place->check) {
        a.is_assumption = true;
        results_add(results, a); /* first, for what is added first happens first */
        a.is_assumption = false;
        results_add(results, a);
    }
    strbuf_release(&text);
}

void frama_c_results(const char *text, const char *origin, Results *results)
{
    Rows rows = read_rows(text);
    Places places = find_places(&rows);
    bool is_unchecked = rests_on_unchecked(&rows);
    for (uint32_t i = 0; i < places.len; i++) add_results(&places, &places.data[i], is_unchecked, origin, results);
    vec_release(&places);
    release(&rows);
}

/* ---- which version of the source the table is about ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *line, const char *word, size_t length)
{
    for (const char *at = line; *at; at++) {
        bool begins = is_word(*at) && (at == line || !is_word(at[-1]));
        if (begins && strncmp(at, word, length) == 0 && !is_word(at[length])) return true;
    }
    return false;
}

/* Frama-C appends a number to a variable that hides another one. */
static size_t without_number(const char *word, size_t length)
{
    size_t n = length;
    while (n && isdigit((unsigned char)word[n - 1])) n--;
    return n > 1 && n < length && word[n - 1] == '_' ? n - 1 : length;
}

/* Is it a variable of the source, and not a word of ACSL, a type, or a variable that Frama-C has made? */
static bool is_of_source(const char *text, const char *word, size_t length)
{
    static const char *const types[] = {"char", "short", "int", "long", "unsigned", "signed", "float", "double", "void", "struct", "union"};
    if ((word > text && word[-1] == '\\') || isdigit((unsigned char)*word)) return false;
    if (strncmp(word, "tmp", strlen("tmp")) == 0 || strncmp(word, "__", 2) == 0) return false;
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (strlen(types[i]) == length && strncmp(word, types[i], length) == 0) return false;
    return true;
}

/* By custom the name of a macro has no small letters, and what a macro stands for is not seen on the line. */
static bool may_have_macro(const char *line)
{
    for (const char *at = line; *at; at++) {
        if (!is_word(*at) || (at > line && is_word(at[-1]))) continue;
        size_t length = 0, capitals = 0, small = 0;
        for (; is_word(at[length]); length++) {
            capitals += isupper((unsigned char)at[length]) != 0;
            small += islower((unsigned char)at[length]) != 0;
        }
        if (capitals > 1 && !small) return true;
    }
    return false;
}

/* A line that names no variable of the property is another one than Frama-C has seen. */
bool frama_c_speaks_of(const char *property, const char *line)
{
    bool any = false;
    for (const char *at = property; *at; at++) {
        if (!is_word(*at) || (at > property && is_word(at[-1]))) continue;
        size_t length = 0;
        while (is_word(at[length])) length++;
        if (!is_of_source(property, at, length)) continue;
        any = true;
        if (has_word(line, at, length) || has_word(line, at, without_number(at, length))) return true;
    }
    return !any || may_have_macro(line);
}

/* ---- alarms ---- */

/* What is valid by Frama-C's own decree is no alarm. */
void frama_c_alarms(const char *text, Alarms *alarms)
{
    Rows rows = read_rows(text);
    for (uint32_t i = 0; i < rows.properties.len; i++) {
        const Property *p = &rows.properties.data[i];
        if (p->is_proved || strcmp(p->status, "Considered valid") == 0) continue;
        char *message = mem_format("%s: %s", p->status, p->text);
        verified__add_alarm(alarms, "frama-c", p->kind, message, p->file, p->line);
        free(message);
    }
    release(&rows);
}
