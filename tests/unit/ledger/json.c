/* ledger: the written account: keys, order, types, and valid JSON whatever the names are. */
#include "base/base.h"

#include <setjmp.h>

#include <cmocka.h>

#include "sample.h"

#include <jansson.h>
#include <math.h>

static Ledger *sample(char **directory)
{
    Ledger *ledger;
    Error error;
    *directory = sample_directory();
    assert_int_equal(ledger_open(&ledger, *directory, "src/valves.c", &(LedgerIdentity){.sources = 1}, false, &error), OK);
    return ledger;
}

static json_t *parsed(const Ledger *ledger)
{
    StrBuf out = {0};
    json_error_t error;
    ledger_json(ledger, &out);
    json_t *root = json_loads(out.text, JSON_REJECT_DUPLICATES, &error);
    if (!root) fail_msg("%s at line %d", error.text, error.line);
    strbuf_release(&out);
    return root;
}

static void remove_sample(Ledger *ledger, char *directory)
{
    ledger_free(ledger);
    sample_remove(directory);
}

static void the_account_is_written_as_specified(void **state)
{
    (void)state;
    static const char expected[] =
        "{\n\"version\": 1,\n\"target\": \"src/valves.c\",\n\"complete\": false,\n\"branches\": [\n"
        " {\"id\":0,\"function\":\"flow\",\"file\":\"src/"
        "valves.c\",\"line\":10,\"column\":9,\"outcome\":\"true\",\"status\":\"covered\",\"test\":2,"
        "\"proof\":null,\"reason\":null},\n"
        " {\"id\":1,\"function\":\"flow\",\"file\":\"src/"
        "valves.c\",\"line\":10,\"column\":9,\"outcome\":\"false\",\"status\":\"open\",\"test\":null,"
        "\"proof\":null,\"reason\":null},\n"
        " {\"id\":3,\"function\":\"flow\",\"file\":\"src/"
        "valves.c\",\"line\":11,\"column\":9,\"outcome\":\"default\",\"status\":\"open\",\"test\":null,"
        "\"proof\":null,\"reason\":\"no input was found\"}\n],\n\"tests\": [\n"
        " {\"id\":1,\"unit\":\"flow\",\"path\":null,\"name\":null,\"outcome\":\"bug division-by-zero\",\"kept\":true,\"replayed\":false,"
        "\"trouble\":null,\"new_branches\":[0]},\n"
        " {\"id\":2,\"unit\":\"flow\",\"path\":\"tests/test_flow.c\",\"name\":\"test_flow_1\",\"outcome\":\"returns "
        "3\",\"kept\":true,\"replayed\":true,"
        "\"trouble\":null,\"new_branches\":[0]}\n],\n\"bugs\": [\n"
        " {\"kind\":\"division-by-zero\",\"function\":\"flow\",\"file\":\"src/valves.c\",\"line\":31,\"column\":14,\"message\":\"the "
        "divisor is 0\","
        "\"test\":1,\"confirmed\":true,\"evidence\":\"SIGFPE\"}\n],\n\"preconditions\": [],\n\"units\": [\n"
        " {\"name\":\"flow\",\"file\":\"src/"
        "valves.c\",\"line\":8,\"done\":true,\"complete\":true,\"problem\":null,\"runs\":1099511627776,\"paths\":0,"
        "\"assumptions\":[\"a is NULL or points to n elements, n at most 4096\",\"\",\"p\\nq\"]},\n"
        " {\"name\":\"odd\",\"file\":null,\"line\":0,\"done\":false,\"complete\":false,\"problem\":\"parameter s: struct secret is "
        "declared but not defined "
        "here\",\"runs\":0,\"paths\":0,\"assumptions\":[]}\n],\n\"lost\": [\n"
        " {\"unit\":\"flow\",\"file\":\"src/valves.c\",\"line\":44,\"reason\":\"memcpy was called with concrete "
        "arguments\"}\n],\n\"summaries\": [\n"
        " {\"function\":\"skip\",\"paths\":7,\"kept\":0,\"explored\":2,\"reused\":41,\"inlined\":0,\"why\":null},\n"
        " {\"function\":\"walk\",\"paths\":0,\"kept\":0,\"explored\":0,\"reused\":0,\"inlined\":3,\"why\":\"it calls itself\"}\n],\n"
        "\"stats\": {\n"
        " \"runs\": 12,\n \"queries\": 3,\n \"seconds\": 1.5,\n \"peak_rss_kib\": 1024\n},\n\"unit_seconds\": [\n"
        " {\"name\":\"flow\",\"seconds\":0.25},\n {\"name\":\"odd\",\"seconds\":0}\n]\n}\n";
    char *directory;
    Ledger *ledger = sample(&directory);
    Error error;
    sample_fill(ledger);
    StrBuf out = {0};
    ledger_json(ledger, &out);
    assert_string_equal(out.text, expected);
    assert_int_equal(ledger_write_json(ledger, &error), OK);
    assert_int_equal(ledger_write_json(ledger, &error), OK);
    char *path = mem_format("%s/ledger.json", directory), content[sizeof expected] = "";
    FILE *file = fopen(path, "r");
    assert_int_equal(fread(content, 1, sizeof content, file), out.len);
    fclose(file);
    assert_string_equal(content, expected);
    strbuf_release(&out);
    free(path);
    json_decref(parsed(ledger));
    remove_sample(ledger, directory);
}

static void an_empty_account_has_all_keys(void **state)
{
    (void)state;
    static const char *const keys[] = {"version",       "target", "complete", "branches",  "tests", "bugs",
                                       "preconditions", "units",  "lost",     "summaries", "stats"};
    char *directory;
    Ledger *ledger = sample(&directory);
    json_t *root = parsed(ledger);
    for (size_t i = 0; i < COUNT_OF(keys); i++) assert_non_null(json_object_get(root, keys[i]));
    json_decref(root);
    remove_sample(ledger, directory);
}

/* Random bytes, and the borders of UTF-8, as names everywhere. */
static void any_bytes_give_valid_json(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *expected;
    } known[] = {
        {"plain", "plain"},
        {"", ""},
        {"\"\\\n\t\x01\x7f", "\"\\\n\t\x01\x7f"},
        {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"caf\xe9", "caf\xef\xbf\xbd"},
        {"\xc3", "\xef\xbf\xbd"},
        {"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xe0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
    };
    char *directory;
    Ledger *ledger = sample(&directory);
    Random random;
    random_seed(&random, 11);
    for (size_t i = 0; i < COUNT_OF(known); i++) ledger_add_unit(ledger, known[i].bytes, known[i].bytes, 1);
    for (int i = 0; i < 2000; i++) {
        char name[12] = "";
        for (unsigned k = 0; k < sizeof name - 1; k++)
            name[k] = (char)(random_below(&random, 2) ? 0x80 + random_below(&random, 128) : 1 + random_below(&random, 127));
        ledger_add_unit(ledger, name, name, 1);
        ledger_add_loss(ledger, name, name, 1, name);
        if (i % 100 == 0) ledger_set_stat(ledger, name, i / 3.0);
    }
    json_t *root = parsed(ledger), *units = json_object_get(root, "units");
    assert_int_equal(json_array_size(units), COUNT_OF(known) + 2000);
    for (size_t i = 0; i < COUNT_OF(known); i++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(units, i), "name")), known[i].expected);
    json_decref(root);
    remove_sample(ledger, directory);
}

static void numbers_stay_numbers(void **state)
{
    (void)state;
    char *directory;
    Ledger *ledger = sample(&directory);
    ledger_set_stat(ledger, "instructions", 4e12);
    ledger_set_stat(ledger, "solver_seconds", 0.1);
    ledger_set_stat(ledger, "huge", 1e300);
    ledger_set_stat(ledger, "rate", NAN);
    json_t *root = parsed(ledger), *stats = json_object_get(root, "stats");
    assert_int_equal(json_integer_value(json_object_get(stats, "instructions")), 4000000000000);
    assert_true(json_is_real(json_object_get(stats, "solver_seconds")));
    assert_true(json_real_value(json_object_get(stats, "huge")) == 1e300);
    assert_true(json_is_null(json_object_get(stats, "rate")));
    json_decref(root);
    remove_sample(ledger, directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_account_is_written_as_specified),
        cmocka_unit_test(an_empty_account_has_all_keys),
        cmocka_unit_test(any_bytes_give_valid_json),
        cmocka_unit_test(numbers_stay_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
