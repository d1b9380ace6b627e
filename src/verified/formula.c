/* Suppositions as they are written: names, `&&`, `||`, `true`, `false`, parentheses.  There is no negation: that something assumed does not hold verifies
 * nothing. */
#include "verified/verified.h"

#include <ctype.h>

typedef struct Reader {
    const char *text, *at;
    uint32_t (*name_of)(void *data, const char *name);
    void *data;
    unsigned depth;
    Error *error;
} Reader;

enum { DEEPEST = 200 /* parentheses inside each other, so that a hostile text does not use up the stack */, LONGEST_NAME = 200 };

static Status complain(Reader *r, const char *what)
{
    return fail(r->error, "%s at character %u of the formula `%s`", what, (unsigned)(r->at - r->text) + 1, r->text);
}

static void skip_space(Reader *r)
{
    while (isspace((unsigned char)*r->at)) r->at++;
}

static bool takes(Reader *r, const char *word)
{
    skip_space(r);
    if (strncmp(r->at, word, strlen(word)) != 0) return false;
    r->at += strlen(word);
    return true;
}

static Status read_any(Reader *r, Table *formula);

static Status read_name(Reader *r, Table *formula)
{
    char name[LONGEST_NAME + 1];
    size_t n = 0;
    while (n < LONGEST_NAME && (isalnum((unsigned char)r->at[n]) || r->at[n] == '_')) n++;
    if (n == 0 || isdigit((unsigned char)*r->at)) return complain(r, "a name, `true`, `false` or `(` is expected");
    memcpy(name, r->at, n);
    name[n] = 0;
    bool is_true = strcmp(name, "true") == 0;
    if (is_true || strcmp(name, "false") == 0) {
        *formula = table_constant(is_true);
    } else {
        uint32_t number = r->name_of(r->data, name);
        if (number == NAME_UNKNOWN) return complain(r, "nothing is assumed under the name");
        *formula = number == NAME_FALSE ? table_constant(false) : table_name(number);
    }
    r->at += n;
    return OK;
}

static Status read_single(Reader *r, Table *formula)
{
    if (!takes(r, "(")) return read_name(r, formula);
    if (++r->depth > DEEPEST) return complain(r, "there are too many parentheses");
    if (read_any(r, formula) != OK) return FAILED;
    r->depth--;
    return takes(r, ")") ? OK : complain(r, "`)` is expected");
}

static Status read_all(Reader *r, Table *formula)
{
    Table next;
    if (read_single(r, formula) != OK) return FAILED;
    while (takes(r, "&&")) {
        if (read_single(r, &next) != OK) return FAILED;
        *formula = table_and(*formula, next);
    }
    return OK;
}

static Status read_any(Reader *r, Table *formula)
{
    Table next;
    if (read_all(r, formula) != OK) return FAILED;
    while (takes(r, "||")) {
        if (read_all(r, &next) != OK) return FAILED;
        *formula = table_or(*formula, next);
    }
    return OK;
}

Status formula_parse(const char *text, uint32_t (*name_of)(void *data, const char *name), void *data, Table *formula, Error *error)
{
    Reader r = {.text = text, .at = text, .name_of = name_of, .data = data, .error = error};
    if (read_any(&r, formula) != OK) return FAILED;
    skip_space(&r);
    return *r.at ? complain(&r, "`&&`, `||` or the end is expected") : OK;
}
