/* record: what is written reads back the same; what is damaged in any way is an error, even where the checksum was made to fit. */
#include "record/record.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

static void add_input(Record *record, const char *name, char type, uint32_t width, U128 bits, uint64_t address)
{
    vec_push(&record->inputs, ((RecordInput){mem_strdup(name), type, width, bits, address}));
}

static void add_seen(Record *record, const char *name, char type, bool defined, uint32_t width, U128 bits, uint64_t address)
{
    vec_push(&record->seen, ((RecordSeen){mem_strdup(name), type, defined, width, bits, address}));
}

static void add_memory(Record *record, const char *name, RecordMemoryKind kind, uint32_t moment, uint64_t address)
{
    static const unsigned char bytes[] = {'a', 0, 9}, set[] = {1, 1, 0};
    RecordMemory memory = {mem_strdup(name), kind, moment, address, 100, 3, 40, mem_alloc(3), mem_alloc(3)};
    memcpy(memory.bytes, bytes, 3);
    memcpy(memory.set, set, 3);
    vec_push(&record->memory, memory);
}

static void fill(Record *record)
{
    *record = (Record){.unit = mem_strdup("parse"), .doublings = 2, .end = END_BUG, .status = -7, .line = 4000000000u};
    add_input(record, "n", 'i', 32, 0xfffffff9u, 0);
    add_input(record, "text[0]", 'c', 8, 0, 0x7f0012345678u);
    add_input(record, "wide", 'u', 128, ~(U128)0, UINT64_MAX);
    add_input(record, "wide", 'u', 128, 5, 0);
    add_input(record, "", 'f', 80, (U128)0x3fff << 64 | 1ull << 63, 0);
    add_seen(record, "result", 'b', true, 1, 1, 0);
    add_seen(record, "list", 'o', true, 0, 0, 0x7f0000001000u);
    add_seen(record, "list.next", 'p', false, 64, 0, 8);
    add_seen(record, "visit", 'k', true, 0, 0, 0);
    add_memory(record, "", MEMORY_HEAP, 0, 0x7f0000001000u);
    add_memory(record, "table", MEMORY_GLOBAL, 4, 8);
    record->bug = mem_strdup("out-of-bounds");
    record->file = mem_strdup("a b/\xff\x01.c");
    record->message = mem_strdup("");
    record->unasked = mem_strdup("n wide ");
    record->turns = mem_strdup("the loop at line 5 goes round 258 times");
    strbuf_add_bytes(&record->output, "a\0b\n", 4);
    vec_push(&record->branches, 0u);
    vec_push(&record->branches, UINT32_MAX);
    vec_push(&record->taken, 0u);
    vec_push(&record->taken, 7u);
    vec_push(&record->taken, UINT32_MAX);
}

static void same_text(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a) assert_string_equal(a, b);
}

static void same_record(const Record *a, const Record *b)
{
    same_text(a->unit, b->unit);
    assert_int_equal(a->inputs.len, b->inputs.len);
    for (uint32_t i = 0; i < a->inputs.len; i++) {
        const RecordInput *x = &vec_at(&a->inputs, i), *y = &vec_at(&b->inputs, i);
        assert_string_equal(x->name, y->name);
        assert_true(x->type == y->type && x->width == y->width && x->bits == y->bits && x->address == y->address);
    }
    assert_int_equal(a->seen.len, b->seen.len);
    for (uint32_t i = 0; i < a->seen.len; i++) {
        const RecordSeen *x = &vec_at(&a->seen, i), *y = &vec_at(&b->seen, i);
        assert_string_equal(x->name, y->name);
        assert_true(x->type == y->type && x->defined == y->defined && x->width == y->width && x->bits == y->bits &&
                    x->address == y->address);
    }
    assert_true(a->end == b->end && a->status == b->status && a->line == b->line);
    assert_int_equal(a->memory.len, b->memory.len);
    for (uint32_t i = 0; i < a->memory.len; i++) {
        const RecordMemory *x = &vec_at(&a->memory, i), *y = &vec_at(&b->memory, i);
        assert_string_equal(x->name, y->name);
        assert_true(x->kind == y->kind && x->moment == y->moment && x->address == y->address && x->size == y->size);
        assert_true(x->count == y->count && x->zeros == y->zeros);
        assert_memory_equal(x->bytes, y->bytes, x->count);
        assert_memory_equal(x->set, y->set, x->count);
    }
    assert_int_equal(a->doublings, b->doublings);
    same_text(a->bug, b->bug);
    same_text(a->file, b->file);
    same_text(a->function, b->function);
    same_text(a->message, b->message);
    same_text(a->unasked, b->unasked);
    same_text(a->turns, b->turns);
    assert_int_equal(a->output.len, b->output.len);
    if (a->output.len) assert_memory_equal(a->output.text, b->output.text, a->output.len);
    assert_int_equal(a->branches.len, b->branches.len);
    for (uint32_t i = 0; i < a->branches.len; i++) assert_int_equal(vec_at(&a->branches, i), vec_at(&b->branches, i));
    assert_int_equal(a->taken.len, b->taken.len);
    for (uint32_t i = 0; i < a->taken.len; i++) assert_int_equal(vec_at(&a->taken, i), vec_at(&b->taken, i));
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    Record record, again, copy, empty = {0};
    StrBuf bytes = {0};
    Error error;
    fill(&record);
    strbuf_add(&bytes, "before");
    record_write(&record, &bytes);
    assert_int_equal(record_read(&again, bytes.text + 6, bytes.len - 6, &error), OK);
    same_record(&record, &again);
    record_copy(&copy, &again);
    record_release(&again);
    same_record(&record, &copy);
    record_release(&copy);
    strbuf_clear(&bytes);
    record_write(&empty, &bytes);
    assert_int_equal(record_read(&again, bytes.text, bytes.len, &error), OK);
    same_record(&empty, &again);
    record_release(&again);
    record_release(&record);
    strbuf_release(&bytes);
}

static void values_are_found_by_name(void **state)
{
    (void)state;
    Record record;
    fill(&record);
    assert_true(record_input(&record, "wide", 0)->bits == ~(U128)0);
    assert_true(record_input(&record, "wide", 1)->bits == 5);
    assert_null(record_input(&record, "wide", 2));
    assert_null(record_input(&record, "wid", 0));
    assert_int_equal(record_seen(&record, "list.next")->width, 64);
    assert_null(record_seen(&record, "n"));
    assert_null(record_seen(&record, "list"));
    record_release(&record);
    assert_null(record_input(&record, "n", 0));
}

static void memory_is_found_by_moment_and_address(void **state)
{
    (void)state;
    Record record;
    StrBuf text = {0};
    unsigned char byte = 5;
    fill(&record);
    const RecordMemory *heap = record_memory(&record, 0, 0x7f0000001000u + 100);
    assert_non_null(heap);
    assert_null(record_memory(&record, 0, 8));
    assert_string_equal(record_memory(&record, 4, 10)->name, "table");
    assert_false(record_byte(heap, 2, &byte)); /* it was never initialised */
    assert_int_equal(byte, 5);
    assert_true(record_byte(heap, 42, &byte));
    assert_int_equal(byte, 0);
    assert_false(record_byte(heap, 43, &byte));
    assert_true(record_text(heap, 0, &text));
    assert_string_equal(text.text, "a");
    assert_false(record_text(heap, 2, &text));
    strbuf_release(&text);
    record_release(&record);
}

/* Reading it must fail, or give a record that is written as the same bytes: nothing is half understood. */
static bool refused_or_exact(const char *bytes, size_t n)
{
    char *exact = malloc(n ? n : 1); /* no room behind it: the sanitizer sees a read past the end */
    Record record;
    Error error = {""};
    memcpy(exact, bytes, n);
    bool refused = record_read(&record, exact, n, &error) != OK;
    if (refused) {
        assert_true(error.text[0] != 0);
        assert_null(record.unit);
        assert_int_equal(record.inputs.len, 0);
    } else {
        StrBuf again = {0};
        record_write(&record, &again);
        assert_int_equal(again.len, n);
        assert_memory_equal(again.text, exact, n);
        strbuf_release(&again);
        record_release(&record);
    }
    free(exact);
    return refused;
}

static void seal(char *bytes, size_t n)
{
    if (n < 8) return;
    uint64_t sum = hash_bytes(bytes, n - 8);
    for (unsigned i = 0; i < 8; i++) bytes[n - 8 + i] = (char)(sum >> (8 * i));
}

static void every_truncation_and_every_flipped_bit_is_refused(void **state)
{
    (void)state;
    Record record;
    StrBuf bytes = {0};
    fill(&record);
    record_write(&record, &bytes);
    for (size_t n = 0; n < bytes.len; n++) {
        assert_true(refused_or_exact(bytes.text, n));
        char *cut = malloc(n + 1);
        memcpy(cut, bytes.text, n);
        seal(cut, n);
        assert_true(refused_or_exact(cut, n));
        free(cut);
    }
    for (size_t bit = 0; bit < bytes.len * 8; bit++) {
        bytes.text[bit / 8] ^= (char)(1 << bit % 8);
        assert_true(refused_or_exact(bytes.text, bytes.len));
        bytes.text[bit / 8] ^= (char)(1 << bit % 8);
    }
    strbuf_add(&bytes, "x");
    assert_true(refused_or_exact(bytes.text, bytes.len));
    record_release(&record);
    strbuf_release(&bytes);
}

/* The checksum is made to fit, so that the reader itself meets the damage. */
static void damage_under_a_right_checksum_is_survived(void **state)
{
    (void)state;
    static const char worst[] = {0, 1, 0x7f, (char)0x80, (char)0xff};
    Record record;
    StrBuf bytes = {0};
    Random random;
    unsigned refused = 0, read = 0;
    fill(&record);
    record_write(&record, &bytes);
    random_seed(&random, 4);
    char *work = malloc(bytes.len);
    for (int turn = 0; turn < 20000; turn++) {
        memcpy(work, bytes.text, bytes.len);
        for (uint64_t changes = 1 + random_below(&random, 4); changes; changes--) {
            size_t at = 5 + (size_t)random_below(&random, bytes.len - 13);
            if (random_below(&random, 2)) work[at] = worst[random_below(&random, sizeof worst)];
            else work[at] ^= (char)(1u << random_below(&random, 8));
        }
        seal(work, bytes.len);
        if (refused_or_exact(work, bytes.len)) refused++;
        else read++;
    }
    assert_true(refused > 1000 && read > 1000);
    free(work);
    record_release(&record);
    strbuf_release(&bytes);
}

static void the_message_says_what_is_wrong(void **state)
{
    (void)state;
    Record record = {0};
    StrBuf bytes = {0};
    Error error;
    assert_int_equal(record_read(&record, "hello, this is no record", 24, &error), FAILED);
    assert_non_null(strstr(error.text, "not the record of a run"));
    record_write(&record, &bytes);
    bytes.text[4] = 9;
    assert_int_equal(record_read(&record, bytes.text, bytes.len, &error), FAILED);
    assert_non_null(strstr(error.text, "version 9"));
    strbuf_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(values_are_found_by_name),
        cmocka_unit_test(memory_is_found_by_moment_and_address),
        cmocka_unit_test(every_truncation_and_every_flipped_bit_is_refused),
        cmocka_unit_test(damage_under_a_right_checksum_is_survived),
        cmocka_unit_test(the_message_says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
