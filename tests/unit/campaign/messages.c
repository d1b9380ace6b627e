/* campaign: what a search tells of a function arrives whole, and a damaged message is noticed. */
#include "campaign/campaign_int.h"

#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static size_t sent(const LedgerSummary *summary, char *bytes, size_t capacity)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    message_send_summary(ends[1], summary);
    close(ends[1]);
    ssize_t n = read(ends[0], bytes, capacity);
    assert_true(n > 0);
    close(ends[0]);
    return (size_t)n;
}

static void a_summary_arrives_whole(void **state)
{
    (void)state;
    char bytes[1024];
    size_t used = 0;
    Message message;
    LedgerSummary summary = {.function = "skip", .hash = UINT64_MAX, .paths = 7, .kept = 2, .explored = 3, .reused = 41, .inlined = 1};
    summary.why = "it was called through a pointer";
    summary.text = "x > 0: returns 1\n";
    summary.bytes = (StrBuf){.text = "a\0b", .len = 3};
    size_t n = sent(&summary, bytes, sizeof bytes);
    assert_true(message_take(bytes, n, &message, &used));
    assert_int_equal(used, n);
    assert_int_equal(message.kind, MESSAGE_SUMMARY);
    assert_string_equal(message.summary.function, "skip");
    assert_true(message.summary.hash == UINT64_MAX);
    assert_int_equal(message.summary.paths, 7);
    assert_int_equal(message.summary.kept, 2);
    assert_int_equal(message.summary.explored, 3);
    assert_int_equal(message.summary.reused, 41);
    assert_int_equal(message.summary.inlined, 1);
    assert_string_equal(message.summary.why, summary.why);
    assert_string_equal(message.summary.text, summary.text);
    assert_int_equal(message.summary.bytes.len, 3);
    assert_memory_equal(message.summary.bytes.text, "a\0b", 3);
    for (size_t k = 0; k < n; k++) assert_false(message_take(bytes, k, &message, &used));
}

static void what_is_not_there_stays_away(void **state)
{
    (void)state;
    char bytes[1024];
    size_t used = 0;
    Message message;
    size_t n = sent(&(LedgerSummary){.function = "f", .inlined = 2}, bytes, sizeof bytes);
    assert_true(message_take(bytes, n, &message, &used));
    assert_int_equal(message.kind, MESSAGE_SUMMARY);
    assert_null(message.summary.why);
    assert_null(message.summary.text);
    assert_int_equal(message.summary.bytes.len, 0);
}

static void a_short_body_is_an_error(void **state)
{
    (void)state;
    char bytes[1024];
    size_t used = 0;
    Message message;
    size_t n = sent(&(LedgerSummary){.function = "f", .text = "text"}, bytes, sizeof bytes);
    uint32_t length, whole;
    memcpy(&whole, bytes, sizeof whole);
    for (length = 0; length < whole; length++) {
        memcpy(bytes, &length, sizeof length);
        assert_true(message_take(bytes, n, &message, &used));
        assert_int_equal(message.kind, MESSAGE_ERROR);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_arrives_whole),
        cmocka_unit_test(what_is_not_there_stays_away),
        cmocka_unit_test(a_short_body_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
