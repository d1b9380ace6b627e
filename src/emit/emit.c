/* emit: a suite from a ledger: the tests are sorted by unit, and each format writes its files. */
#include "emit/emit_int.h"

#include <errno.h>
#include <stdlib.h>

const char *emit_format_name(EmitFormat format)
{
    static const char *const names[] = {
#define FORMAT(NAME, text, help) text,
#include "emit/formats.def"
#undef FORMAT
    };
    REQUIRE((unsigned)format < EMIT_FORMATS, "a format");
    return names[format];
}

/* The first format that writes a test says where it is. */
void emit__set_written(Suite *suite, uint32_t index, const char *path, const char *name)
{
    LedgerTest *test = &vec_at(&suite->ledger->tests, index);
    if (test->path) return;
    ledger_set_text(&test->path, path);
    ledger_set_text(&test->name, name);
    ledger_touch_test(suite->ledger, test->id);
}

/* ---- batches ---- */

typedef Vec(Batch) Batches;

static char *unique_word(const Batches *batches, const char *unit)
{
    char *word = emit__word(unit);
    uint32_t same = 0;
    for (uint32_t i = 0; i < batches->len; i++) {
        if (strcmp(batches->data[i].word, word) != 0) continue;
        free(word);
        char *base = emit__word(unit);
        word = mem_format("%s_%u", base, ++same + 1);
        free(base);
        i = UINT32_MAX; /* from the start */
    }
    return word;
}

static Batch *batch_of(Suite *suite, Batches *batches, NameMap *numbers, const char *unit)
{
    const uint32_t *number = names_find(numbers, unit);
    if (number) return &vec_at(batches, *number);
    Batch batch = {.unit = unit, .word = unique_word(batches, unit)};
    batch.plan = emit__unit(suite->units, unit);
    batch.source = emit__unit_source(suite->decls, suite->units, unit);
    names_put(numbers, unit, batches->len);
    vec_push(batches, batch);
    return &vec_top(batches);
}

static bool shows_bug(const LedgerTest *test)
{
    return test->bug || test->record.end == END_BUG;
}

static bool is_wanted(const Ledger *ledger, const LedgerTest *test)
{
    return test->kept || (test->bug && ledger->bugs.data[test->bug - 1].test == test->id);
}

static void sort_tests(Suite *suite, Batches *batches)
{
    NameMap numbers = {0};
    Ledger *ledger = suite->ledger;
    for (uint32_t i = 0; i < ledger->tests.len; i++) {
        LedgerTest *test = &ledger->tests.data[i];
        REQUIRE(test->bug <= ledger->bugs.len, "a test's bug is in the ledger");
        if (test->path) ledger_touch_test(ledger, test->id);
        ledger_set_text(&test->path, NULL);
        ledger_set_text(&test->name, NULL);
        if (!is_wanted(ledger, test)) continue;
        Batch *batch = batch_of(suite, batches, &numbers, test->unit);
        if (shows_bug(test)) vec_push(&batch->bugs, i);
        else vec_push(&batch->tests, i);
    }
    names_release(&numbers);
}

static void release_batches(Batches *batches)
{
    for (uint32_t i = 0; i < batches->len; i++) {
        free(batches->data[i].word);
        vec_release(&batches->data[i].tests);
        vec_release(&batches->data[i].bugs);
    }
    vec_release(batches);
}

/* Branches by the test that covers them, in the order of their ids. */
static void index_branches(Suite *suite)
{
    const Ledger *ledger = suite->ledger;
    for (uint32_t i = 0; i < ledger->branches.len; i++) vec_push(&suite->next_branch, UINT32_MAX);
    for (uint32_t i = ledger->branches.len; i-- > 0;) {
        uint32_t test = ledger->branches.data[i].test;
        if (!test) continue;
        const uint64_t *first = map_find(&suite->first_branch, test);
        if (first) suite->next_branch.data[i] = (uint32_t)*first;
        map_put(&suite->first_branch, test, i);
    }
}

/* ---- formats ---- */

static Status write_format(Suite *suite, EmitFormat format, const Batches *batches)
{
    static const Style plain = {"tests", "clew_check", false}, cmocka = {"cmocka", "assert_true", true};
    Status (*write)(Suite *, const Batch *) = NULL;
    switch (format) {
    case EMIT_C: return emit__c_suite(suite, &plain, batches->data, batches->len);
    case EMIT_CMOCKA: return emit__c_suite(suite, &cmocka, batches->data, batches->len);
    case EMIT_TESTCOMP: write = emit__testcomp; break;
    case EMIT_KTEST: write = emit__ktest; break;
    case EMIT_CORPUS: write = emit__corpus; break;
    default: REQUIRE(false, "a format");
    }
    for (uint32_t i = 0; i < batches->len; i++)
        if (write(suite, &batches->data[i]) != OK) return FAILED;
    return OK;
}

Status emit_suite(Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *options, Error *error)
{
    Suite suite = {.ledger = ledger, .decls = decls, .units = units, .options = options, .error = error};
    Batches batches = {0};
    suite.root = realpath(ledger->directory, NULL);
    if (!suite.root) return fail(error, "cannot write tests to %s: %s", ledger->directory, strerror(errno));
    emit__open_manifest(&suite);
    index_branches(&suite);
    sort_tests(&suite, &batches);
    Status status = OK;
    for (unsigned format = 0; format < EMIT_FORMATS && status == OK; format++)
        if (format == EMIT_C || options->formats >> format & 1) status = write_format(&suite, (EmitFormat)format, &batches);
    if (status == OK) status = emit__close_manifest(&suite);
    release_batches(&batches);
    free(suite.root);
    for (uint32_t i = 0; i < suite.files.len; i++) free(suite.files.data[i]);
    vec_release(&suite.files);
    names_release(&suite.known);
    names_release(&suite.written);
    map_release(&suite.first_branch);
    vec_release(&suite.next_branch);
    return status;
}
