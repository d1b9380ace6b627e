/* Conditions over names as truth tables: bit i is the value of the condition where name k has the value of bit k of i. */
#include "verified/verified.h"

Table table_constant(bool value)
{
    Table t;
    memset(&t, value ? 0xff : 0, sizeof t);
    return t;
}

Table table_name(uint32_t name)
{
    Table t = {0};
    REQUIRE(name < VERIFIED_MOST_NAMES, "a truth table has a limited number of names");
    for (uint32_t i = 0; i < TABLE_WORDS * 64; i++)
        if (i >> name & 1) t.words[i / 64] |= (uint64_t)1 << i % 64;
    return t;
}

Table table_and(Table a, Table b)
{
    for (uint32_t i = 0; i < TABLE_WORDS; i++) a.words[i] &= b.words[i];
    return a;
}

Table table_or(Table a, Table b)
{
    for (uint32_t i = 0; i < TABLE_WORDS; i++) a.words[i] |= b.words[i];
    return a;
}

Table table_not(Table a)
{
    for (uint32_t i = 0; i < TABLE_WORDS; i++) a.words[i] = ~a.words[i];
    return a;
}

static bool value_at(const Table *t, uint32_t i)
{
    return t->words[i / 64] >> i % 64 & 1;
}

Table table_with(Table t, uint32_t name, bool value)
{
    Table result = {0};
    for (uint32_t i = 0; i < TABLE_WORDS * 64; i++) {
        uint32_t from = value ? i | 1u << name : i & ~(1u << name);
        result.words[i / 64] |= (uint64_t)value_at(&t, from) << i % 64;
    }
    return result;
}

bool table_equal(Table a, Table b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

bool table_is(Table t, bool value)
{
    return table_equal(t, table_constant(value));
}

bool table_depends(Table t, uint32_t name)
{
    return !table_equal(table_with(t, name, false), table_with(t, name, true));
}

/* Names of two conditions are joined by `word`; a condition that is joined by the other word is put in parentheses. */
static void print_joined(bool negated, const char *name, const char *word, Table rest, const char *const *names, uint32_t count,
                         StrBuf *out)
{
    StrBuf text = {0};
    table_print(rest, names, count, &text);
    bool encloses = strcmp(word, "&&") == 0 && strstr(text.text, "||");
    strbuf_addf(out, "%s%s %s %s%s%s", negated ? "!" : "", name, word, encloses ? "(" : "", text.text, encloses ? ")" : "");
    strbuf_release(&text);
}

void table_print(Table t, const char *const *names, uint32_t count, StrBuf *out)
{
    uint32_t name = 0;
    while (name < count && !table_depends(t, name)) name++;
    if (name == count) {
        strbuf_add(out, table_is(t, false) ? "false" : "true");
        return;
    }
    Table yes = table_with(t, name, true), no = table_with(t, name, false);
    if (table_is(yes, true) && table_is(no, false)) strbuf_add(out, names[name]);
    else if (table_is(yes, false) && table_is(no, true)) strbuf_addf(out, "!%s", names[name]);
    else if (table_is(yes, false)) print_joined(true, names[name], "&&", no, names, count, out);
    else if (table_is(no, false)) print_joined(false, names[name], "&&", yes, names, count, out);
    else if (table_is(yes, true)) print_joined(false, names[name], "||", no, names, count, out);
    else if (table_is(no, true)) print_joined(true, names[name], "||", yes, names, count, out);
    else {
        print_joined(false, names[name], "&&", yes, names, count, out);
        strbuf_add(out, " || ");
        print_joined(true, names[name], "&&", no, names, count, out);
    }
}
