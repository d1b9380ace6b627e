/* Bugs and preconditions.
 *
 * A function that is called with whatever its types allow is often called as no caller ever would.  What such a run shows is a *precondition* of
 * the function if it concerns what the function cannot check, or says itself:
 *   - a pointer is not NULL, unless some function that gets it compares it with NULL, or the project itself passes NULL there;
 *   - a pointer whose number of elements no other parameter tells has as many as are used; a string that is read as one ends within its
 *     object, so reading past its end is a bug;
 *   - a condition on its parameters that the function itself asserts;
 *   - a length is not negative;
 *   - a function that the caller gives returns numbers that can be used as the function uses them: a position in its array, say;
 *   - an object comes from one of the project's functions that make objects of its type, where they are known and only memory with any contents
 *     shows the fault.
 * Everything else is a bug: what a function does with the contents of its inputs, or with numbers, it can check. */
#include "campaign/campaign_int.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

/* ---- judging ---- */

static bool is_blamed(const Record *record, const char *input)
{
    for (const char *name = record->blame; name && *name;) {
        size_t n = strcspn(name, " ");
        if (strlen(input) == n && strncmp(input, name, n) == 0) return true;
        name += n + (name[n] != 0);
    }
    return false;
}

static const Unit *unit_of(const Units *units, const char *name)
{
    for (uint32_t i = 0; units && i < units_count(units); i++)
        if (strcmp(unit_name(units_at(units, i)), name) == 0) return units_at(units, i);
    return NULL;
}

/* The one input that is to blame; with `pointer` the one pointer among those that are: a number that is added to NULL changes nothing.  NULL:
 * there is none, or there are several. */
static const RecordInput *blamed_input(const Record *record, bool pointer)
{
    const RecordInput *found = NULL;
    for (const char *name = record->blame; name && *name;) {
        size_t n = strcspn(name, " ");
        const RecordInput *input = NULL;
        for (uint32_t i = 0; i < record->inputs.len && !input; i++) {
            const RecordInput *one = &vec_at(&record->inputs, i);
            if (strlen(one->name) == n && strncmp(one->name, name, n) == 0) input = one;
        }
        if (!pointer || (input && input->type == 'p')) {
            if (found || !input) return NULL;
            found = input;
        }
        name += n + 1;
    }
    return found;
}

static char *about_null(const Unit *unit, const Record *record, bool asserted)
{
    bool is_null = strcmp(record->bug, "null-dereference") == 0 || (strcmp(record->bug, "out-of-bounds") == 0 && !record->object);
    const RecordInput *input = is_null ? campaign__blamed_null(record) : blamed_input(record, !asserted);
    const char *without = record->blame ? NULL : unit_null_parameter(unit, record);
    if (!input && without) return mem_format("%s != NULL", without);
    if (!input || input->type != 'p' || input->bits != 0) return NULL;
    UnitPointer pointer;
    if (!unit_pointer(unit, input->name, &pointer) || (pointer.null_is_expected && !asserted)) return NULL;
    return mem_format("%s != NULL", pointer.path);
}

static char *about_size(const Unit *unit, const Record *record)
{
    const char *colon = record->object ? strrchr(record->object, ':') : NULL;
    if (!colon) return NULL;
    char *name = mem_format("%.*s", (int)(colon - record->object), record->object), *text = NULL;
    UnitObject object;
    bool writes = record->message && strncmp(record->message, "write", 5) == 0;
    long long offset = strtoll(colon + 1, NULL, 10);
    bool guessed = unit_object(unit, name, &object) && object.size_is_guessed && (!object.is_text || writes || offset < 0);
    const RecordInput *blamed = blamed_input(record, false);
    const char *number = blamed && blamed->type != 'p' && unit_is_parameter(unit, blamed->name) ? blamed->name : NULL;
    if (guessed && number) text = mem_format("%s points to as many elements as %s asks for", object.path, number);
    else if (guessed && offset < 0) text = mem_format("%s points behind the start of an object", object.path);
    else if (guessed && object.count == 1) text = mem_format("%s points to more than 1 element", object.path);
    else if (guessed) text = mem_format("%s points to more than %llu elements", object.path, (unsigned long long)object.count);
    free(name);
    return text;
}

/* What the caller's own functions return, the caller answers for, if nothing else decides than how large the object was made. */
static char *about_callback(const Unit *unit, const Record *record)
{
    const char *callback = NULL;
    for (const char *name = record->blame; name && *name;) {
        size_t n = strcspn(name, " ");
        char *input = mem_format("%.*s", (int)n, name);
        const char *its = unit_callback_result(unit, input);
        bool other = !its && !unit_is_of_making(unit, input);
        free(input);
        if (other) return NULL;
        if (its) callback = its;
        name += n + (name[n] != 0);
    }
    return callback ? mem_format("%s returns what %s can use", callback, unit_function(unit)->name) : NULL;
}

/* A number that says how many elements there are behind a pointer is never negative, be it to blame itself or be what it leads to.  Of a run that was
 * refined only: another one may be negative by chance, where 0 shows the same fault. */
static char *about_length(const Unit *unit, const Record *record)
{
    const char *colon = record->object ? strrchr(record->object, ':') : NULL;
    for (uint32_t i = 0; i < record->inputs.len; i++) {
        const RecordInput *input = &vec_at(&record->inputs, i);
        bool negative = input->type == 'i' && input->width <= 64 && (input->bits >> (input->width - 1) & 1);
        if (!negative) continue;
        char *object = colon ? mem_format("%.*s", (int)(colon - record->object), record->object) : NULL;
        bool found = unit_is_length(unit, input->name, object) ||
                     (is_blamed(record, input->name) && unit_is_length(unit, input->name, NULL));
        free(object);
        if (found) return mem_format("%s >= 0", input->name);
    }
    return NULL;
}

/* ---- numbers ---- */

/* A number whose size no memory has: addresses have 47 bits. */
static bool is_beyond_memory(const RecordInput *input)
{
    if (input->width != 64 || (input->type != 'i' && input->type != 'u')) return false;
    uint64_t value = (uint64_t)input->bits;
    if (input->type == 'i' && value >> 63) value = -value;
    return value >> 47 != 0;
}

static bool is_not_finite(const RecordInput *input)
{
    if (input->type != 'f' || (input->width != 32 && input->width != 64)) return false;
    unsigned exponent = input->width == 32 ? 8 : 11;
    return (input->bits >> (input->width - 1 - exponent) & ((1u << exponent) - 1)) == (1u << exponent) - 1;
}

static bool is_wide_number(const RecordInput *input)
{
    return (input->type == 'i' || input->type == 'u') && input->width >= 32;
}

/* "a and b": the inputs that the question is true of, those to blame or any.  `all`: NULL if it is not true of every one. */
static char *numbers_of(const Unit *unit, const Record *record, bool (*is_one)(const RecordInput *), bool blamed, bool all)
{
    StrBuf text = {0};
    bool every = true;
    for (uint32_t i = 0; i < record->inputs.len; i++) {
        const RecordInput *input = &vec_at(&record->inputs, i);
        if (blamed && !is_blamed(record, input->name)) continue;
        if (is_one(input)) strbuf_addf(&text, "%s%s", text.len ? " and " : "", unit_number(unit, input->name));
        else every = false;
    }
    char *found = text.len && (every || !all) ? mem_strdup(text.text) : NULL;
    strbuf_release(&text);
    return found;
}

/* Sums and products of numbers that the function takes as they are fit their types, and so do sizes of memory.  It is a bug if the function has asked about one of
 * the numbers and goes on nevertheless; if the number counts in an array that is not of such a size; and if the number is read from a text.  An assertion that
 * fails with a number that is not finite, where refining gives finite numbers to all inputs that do not matter, is about that number. */
static char *about_numbers(const Unit *unit, const Record *record, bool refined)
{
    bool overflow = strcmp(record->bug, "signed-overflow") == 0, asserted = strcmp(record->bug, "assertion") == 0;
    bool bounds = strcmp(record->bug, "out-of-bounds") == 0;
    bool allocated = record->object && strncmp(record->object, RECORD_ALLOCATED ":", strlen(RECORD_ALLOCATED ":")) == 0;
    bool unasked = record->blame && record->unasked && strcmp(record->blame, record->unasked) == 0;
    char *names = NULL, *text = NULL;
    if (overflow && unasked) names = numbers_of(unit, record, is_wide_number, true, true);
    if (!names && (asserted || (bounds && allocated))) names = numbers_of(unit, record, is_beyond_memory, true, false);
    if (names)
        text = mem_format(strstr(names, " and ") ? "%s are small enough not to overflow" : "%s is small enough not to overflow", names);
    if (!names && asserted && refined) {
        names = numbers_of(unit, record, is_not_finite, false, false);
        if (names) text = mem_format(strstr(names, " and ") ? "%s are finite" : "%s is finite", names);
    }
    free(names);
    return text;
}

/* Whoever fills an object keeps its counts within the room that it has.  Refining gives 0 to all numbers that do not matter. */
static char *about_count(const Unit *unit, const Record *record, bool refined)
{
    const char *count, *room;
    return unit_broken_count(unit, record, !refined, &count, &room) ? mem_format("%s <= %s", count, room) : NULL;
}

/* ---- what a function asserts ---- */

/* The line and a few that follow it, as one.  `length`: of the first. */
static char *source_lines(const char *file, uint32_t line, size_t *length)
{
    enum { LINES = 6 };
    FILE *in = fopen(file, "r");
    StrBuf joined = {0};
    char *text = NULL;
    size_t capacity = 0;
    for (uint32_t i = 1; in && i < line + LINES && getline(&text, &capacity, in) >= 0; i++) {
        text[strcspn(text, "\r\n")] = 0;
        if (i >= line) strbuf_addf(&joined, "%s ", i == line ? text : text + strspn(text, " \t"));
        if (i == line) *length = joined.len;
    }
    if (in) fclose(in);
    free(text);
    return joined.text;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Where the argument of the assertion on the line begins: behind the last `WORD(` before which there are only keywords of statements with their conditions, as in
 * `if (n > 0) assert(p);`.  NULL: the line holds no such call.  Lines that follow it may hold others. */
static const char *find_argument(const char *line, size_t length)
{
    static const char *const keywords[] = {"if", "while", "for", "switch", "return", "sizeof"};
    for (const char *at = line; at < line + length; at++) {
        if (*at != '(') continue;
        const char *end = at, *start;
        while (end > line && end[-1] == ' ') end--;
        for (start = end; start > line && is_word(start[-1]);) start--;
        bool is_keyword = start == end;
        for (size_t i = 0; i < COUNT_OF(keywords); i++)
            is_keyword |= (size_t)(end - start) == strlen(keywords[i]) && strncmp(start, keywords[i], strlen(keywords[i])) == 0;
        if (!is_keyword) return at;
        int depth = 0;
        do depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        while (depth && ++at < line + length);
    }
    return NULL;
}

/* The argument of the macro, up to a comma or to `&& "text"`.  `length`: of the line on which the macro stands. */
static char *asserted_text(const char *line, size_t length)
{
    const char *start = find_argument(line, length), *end = start ? start + 1 : NULL;
    for (int depth = 0; end && *end && (depth || (*end != ')' && *end != ',')); end++) {
        if (end[0] == '&' && end[1] == '&' && end[2 + strspn(end + 2, " ")] == '"') break;
        depth += *end == '(' ? 1 : *end == ')' ? -1 : 0;
    }
    if (!end || !*end) return NULL;
    while (end > start + 1 && isspace((unsigned char)end[-1])) end--;
    while (isspace((unsigned char)start[1])) start++;
    return mem_format("%.*s", (int)(end - start - 1), start + 1);
}

/* Are all variables in it parameters?  Members, constants in capitals, types, globals and functions may stand there, too. */
static bool speaks_of_parameters(const Unit *unit, const char *text)
{
    bool found = false;
    for (const char *at = text; *at;) {
        if (*at == '"') return false;
        size_t n = 0;
        while (is_word(at[n])) n++;
        if (!n || isdigit((unsigned char)*at)) {
            at += n ? n : 1;
            continue;
        }
        bool called = at[n + strspn(at + n, " ")] == '('; /* a function, or a macro */
        bool member = at > text && (at[-1] == '.' || (at[-1] == '>' && at > text + 1 && at[-2] == '-'));
        bool capitals = true;
        for (size_t i = 0; i < n; i++) capitals &= !islower((unsigned char)at[i]);
        char *word = mem_format("%.*s", (int)n, at);
        bool parameter = unit_is_parameter(unit, word), known = unit_knows(unit, word);
        free(word);
        if (!member && !called && !capitals && !parameter && !known) return false;
        found |= parameter && !member;
        at += n;
    }
    return found;
}

/* What a verifier is said to have shown of the function (clew.h) is no condition on its callers. */
static bool is_verified(const char *line)
{
    const char *call = strstr(line, "CLEW_ASSERT_VERIFIED");
    return call && call < line + strcspn(line, "(");
}

/* Does the text name a number among the parameters that is to blame? */
static bool names_blamed_number(const Unit *unit, const Record *record, const char *text)
{
    for (const char *at = text; *at;) {
        size_t n = 0;
        while (is_word(at[n])) n++;
        char *word = mem_format("%.*s", (int)n, at);
        bool member = at > text && (at[-1] == '.' || at[-1] == '>');
        bool found = n && !member && unit_is_parameter(unit, word) && !unit_is_pointer_parameter(unit, word) && is_blamed(record, word);
        free(word);
        if (found) return true;
        at += n ? n : 1;
    }
    return false;
}

/* Does the fault lie in the condition of an assertion, which could then not be computed? */
static bool is_in_assertion(const char *line, size_t length)
{
    const char *at = find_argument(line, length), *start = at;
    while (start && start > line && (is_word(start[-1]) || start[-1] == ' ')) start--;
    for (; start && start + strlen("assert") <= at; start++)
        if (strncasecmp(start, "assert", strlen("assert")) == 0) return true;
    return false;
}

static char *about_assertion(const Program *program, const Unit *unit, const Record *record)
{
    if (strcmp(record->function, unit_function(unit)->name) != 0) return NULL;
    size_t length = 0;
    char *lines = source_lines(record->file, record->line, &length), *result = NULL;
    bool failed = lines && (strcmp(record->bug, "assertion") == 0 || is_in_assertion(lines, length));
    char *text = failed && !is_verified(lines) ? asserted_text(lines, length) : NULL;
    free(lines);
    if (text && unit_is_pointer_parameter(unit, text)) result = mem_format("%s != NULL", text);
    else if (text && speaks_of_parameters(unit, text)) result = mem_strdup(text);
    else if (text && names_blamed_number(unit, record, text) && campaign__is_at_entry(program, record))
        result = mem_format("%s holds when %s is called", text, unit_function(unit)->name);
    free(text);
    return result;
}

/* What a function of the project establishes, no other function has to check. */
static char *about_origin(const Unit *unit, const Record *record)
{
    const char *path, *origins;
    return unit_broken_origin(unit, record, &path, &origins) ? mem_format("%s comes from %s", path, origins) : NULL;
}

char *campaign__precondition(const Program *program, const Units *units, const Record *record, bool refined)
{
    const Unit *unit = record->unit ? unit_of(units, record->unit) : NULL;
    if (!unit || record->end != END_BUG || !record->bug) return NULL;
    char *asserted = about_assertion(program, unit, record);
    if (asserted) return asserted;
    if (strcmp(record->bug, "assertion") == 0) {
        asserted = about_null(unit, record, true);
        if (!asserted) asserted = about_callback(unit, record);
        if (!asserted) asserted = about_origin(unit, record);
        return asserted ? asserted : about_numbers(unit, record, refined);
    }
    bool null = strcmp(record->bug, "null-dereference") == 0, bounds = strcmp(record->bug, "out-of-bounds") == 0;
    char *text = null || bounds ? about_null(unit, record, false) : NULL;
    if (text && !strpbrk(text, ".>[")) return text; /* a parameter itself */
    char *origin = about_origin(unit, record);
    if (!origin) origin = about_count(unit, record, refined);
    if (origin) {
        free(text);
        return origin;
    }
    if (!text && bounds) text = about_size(unit, record);
    if (!text && refined) text = about_length(unit, record);
    if (!text) text = about_callback(unit, record);
    return text ? text : about_numbers(unit, record, refined);
}

/* ---- contracts.json ---- */

/* The option of `clew test` that keeps to the precondition; NULL: there is none. */
static json_t *option_for(const char *unit, const char *expression)
{
    const char *null = strstr(expression, " != NULL"), *elements = strstr(expression, " points to ");
    const char *colon = strrchr(unit, ':'), *function = colon ? colon + 1 : unit;
    char *text = NULL;
    if (null && !null[strlen(" != NULL")]) text = mem_format("--nonnull %s.%.*s", function, (int)(null - expression), expression);
    else if (strstr(expression, " comes from ") || strstr(expression, " returns what ")) text = NULL;
    else if (strstr(expression, " small enough ") || strstr(expression, " holds when ") || strstr(expression, " finite")) text = NULL;
    else if (!elements && !strstr(expression, " points behind ")) text = mem_format("--assume '%s'", expression);
    json_t *option = text ? json_string(text) : json_null();
    free(text);
    return option;
}

static json_t *precondition_entry(const Ledger *ledger, const LedgerBug *bug)
{
    json_t *entry = json_object();
    json_object_set_new(entry, "expression", json_string(bug->precondition));
    json_object_set_new(entry, "option", option_for(bug->unit, bug->precondition));
    json_object_set_new(entry, "without", json_string(bug->kind));
    json_object_set_new(entry, "file", json_string(bug->file));
    json_object_set_new(entry, "line", json_integer(bug->line));
    json_object_set_new(entry, "shown", json_boolean(bug->confirmed));
    (void)ledger;
    return entry;
}

static bool is_listed(json_t *list, const char *expression)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(list, i), "expression")), expression) == 0) return true;
    return false;
}

static json_t *function_entry(const Ledger *ledger, const LedgerUnit *unit)
{
    json_t *list = json_array(), *entry = json_object();
    for (uint32_t i = 0; i < ledger->bugs.len; i++) {
        const LedgerBug *bug = &vec_at(&ledger->bugs, i);
        if (!bug->precondition || strcmp(bug->unit, unit->name) != 0 || is_listed(list, bug->precondition)) continue;
        json_array_append_new(list, precondition_entry(ledger, bug));
    }
    json_object_set_new(entry, "function", json_string(unit->name));
    json_object_set_new(entry, "file", json_string(unit->file));
    json_object_set_new(entry, "line", json_integer(unit->line));
    json_object_set_new(entry, "preconditions", list);
    return entry;
}

Status campaign__write_contracts(const Ledger *ledger, Error *error)
{
    char *path = mem_format("%s/contracts.json", ledger->directory);
    json_t *root = json_object(), *functions = json_array();
    for (uint32_t i = 0; i < ledger->units.len; i++) {
        json_t *entry = function_entry(ledger, &vec_at(&ledger->units, i));
        if (json_array_size(json_object_get(entry, "preconditions"))) json_array_append(functions, entry);
        json_decref(entry);
    }
    json_object_set_new(root, "version", json_integer(1));
    json_object_set_new(root, "functions", functions);
    Status status = json_dump_file(root, path, JSON_INDENT(1)) == 0 ? OK : fail(error, "cannot write %s: %s", path, strerror(errno));
    json_decref(root);
    free(path);
    return status;
}
