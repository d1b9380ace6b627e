/* emit: formats of bytes: KLEE's .ktest files and fuzzers' corpora.
 *
 * A .ktest file (KLEE, lib/Basic/KTest.cpp, version 3) holds the arguments of the program and named objects; all numbers are big-endian words of
 * 32 bits.  A corpus has the bytes of each test as a file: the data of LLVMFuzzerTestOneInput, standard input, or else all inputs in order. */
#include "emit/emit_int.h"

#include <stdlib.h>

static Status for_each_test(Suite *suite, const Batch *batch, const char *folder, const char *suffix,
                            void (*add)(const Suite *suite, const Batch *batch, const Record *record, StrBuf *out))
{
    Status status = OK;
    for (uint32_t i = 0; i < batch->tests.len + batch->bugs.len && status == OK; i++) {
        uint32_t index = i < batch->tests.len ? batch->tests.data[i] : batch->bugs.data[i - batch->tests.len];
        const LedgerTest *test = &suite->ledger->tests.data[index];
        char *name = mem_format("%s-%u", batch->word, test->id), *path = mem_format("%s/%s%s", folder, name, suffix);
        StrBuf out = {0};
        add(suite, batch, &test->record, &out);
        status = emit__write(suite, path, &out);
        emit__set_written(suite, index, path, name);
        strbuf_release(&out);
        free(name);
        free(path);
    }
    return status;
}

/* ---- .ktest ---- */

static void add_word(StrBuf *out, size_t value)
{
    REQUIRE(value <= UINT32_MAX, "a .ktest file has 32-bit sizes");
    strbuf_add_bytes(out, (uint8_t[]){(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value}, 4);
}

static void add_sized(StrBuf *out, const void *bytes, size_t n)
{
    add_word(out, n);
    strbuf_add_bytes(out, bytes, n);
}

static void add_ktest(const Suite *suite, const Batch *batch, const Record *record, StrBuf *out)
{
    const EmitOptions *options = suite->options;
    Groups groups = {0};
    (void)batch;
    strbuf_add(out, "KTEST");
    add_word(out, 3);
    add_word(out, options->argument_count ? options->argument_count : 1);
    if (!options->argument_count) add_sized(out, record->unit, strlen(record->unit));
    for (uint32_t i = 0; i < options->argument_count; i++) add_sized(out, options->arguments[i], strlen(options->arguments[i]));
    add_word(out, 0); /* symbolic arguments are objects here */
    add_word(out, 0);
    emit__groups(record, &groups);
    add_word(out, groups.len);
    for (uint32_t i = 0; i < groups.len; i++) {
        StrBuf bytes = {0};
        emit__group_bytes(record, &groups.data[i], &bytes);
        add_sized(out, groups.data[i].name, strlen(groups.data[i].name));
        add_sized(out, bytes.text, bytes.len);
        strbuf_release(&bytes);
    }
    emit__release_groups(&groups);
}

Status emit__ktest(Suite *suite, const Batch *batch)
{
    return for_each_test(suite, batch, "ktest", ".ktest", add_ktest);
}

/* ---- corpus ---- */

/* LLVMFuzzerTestOneInput(data, size): the first array of bytes, as far as `size` says. */
static bool add_fuzzer_data(const Batch *batch, const Record *record, StrBuf *out)
{
    const CFunction *function = batch->plan ? unit_function(batch->plan) : NULL;
    if (!function || strcmp(function->name, "LLVMFuzzerTestOneInput") != 0 || function->param_count != 2) return false;
    const RecordInput *size = record_input(record, function->params[1].name, 0);
    Groups groups = {0};
    emit__groups(record, &groups);
    for (uint32_t i = 0; i < groups.len; i++) {
        if (!groups.data[i].array || record->inputs.data[groups.data[i].first].width != 8) continue;
        emit__group_bytes(record, &groups.data[i], out);
        break;
    }
    if (size && out->len > size->bits) out->len = (size_t)size->bits;
    emit__release_groups(&groups);
    return true;
}

static void add_corpus(const Suite *suite, const Batch *batch, const Record *record, StrBuf *out)
{
    (void)suite;
    strbuf_add(out, "");
    if (add_fuzzer_data(batch, record, out)) return;
    World world;
    emit__world(record, 1, &world);
    if (!batch->plan && world.has_input) {
        strbuf_add_bytes(out, world.input.text, world.input.len);
    } else {
        Groups groups = {0};
        emit__groups(record, &groups);
        for (uint32_t i = 0; i < groups.len; i++) emit__group_bytes(record, &groups.data[i], out);
        emit__release_groups(&groups);
    }
    emit__release_world(&world);
}

Status emit__corpus(Suite *suite, const Batch *batch)
{
    return for_each_test(suite, batch, "corpus", "", add_corpus);
}
