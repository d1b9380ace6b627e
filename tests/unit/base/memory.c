/* base: arena, vector, string builder, error text. */
#include "base/base.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>
#undef fail /* base has its own */

static void arena_blocks_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    Arena arena = {0};
    enum { BLOCKS = 3000 };
    unsigned char *blocks[BLOCKS];
    size_t sizes[BLOCKS];
    Random random;
    random_seed(&random, 7);
    for (int i = 0; i < BLOCKS; i++) {
        sizes[i] = random_below(&random, i % 100 ? 200 : 200000);
        blocks[i] = arena_alloc(&arena, sizes[i]);
        assert_int_equal((uintptr_t)blocks[i] % 16, 0);
        for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(blocks[i][k], 0);
        memset(blocks[i], i & 255, sizes[i]);
    }
    for (int i = 0; i < BLOCKS; i++)
        for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(blocks[i][k], i & 255);
    arena_release(&arena);
    assert_null(arena.chunks);
}

static void arena_takes_a_block_larger_than_its_chunks(void **state)
{
    (void)state;
    Arena arena = {0};
    char *small = arena_strdup(&arena, "thread");
    char *large = arena_alloc(&arena, 1 << 20);
    large[0] = large[(1 << 20) - 1] = 'x';
    char *after = arena_strdup(&arena, "");
    assert_string_equal(small, "thread");
    assert_string_equal(after, "");
    arena_release(&arena);
}

static void vector_keeps_order_while_growing(void **state)
{
    (void)state;
    Vec(uint64_t) numbers = {0};
    for (uint64_t i = 0; i < 10000; i++) vec_push(&numbers, i * i);
    assert_int_equal(numbers.len, 10000);
    for (uint64_t i = 0; i < 10000; i++) assert_int_equal(vec_at(&numbers, i), i * i);
    assert_int_equal(vec_top(&numbers), 9999u * 9999u);
    assert_int_equal(vec_pop(&numbers), 9999u * 9999u);
    assert_int_equal(numbers.len, 9999);
    uint32_t capacity = numbers.cap;
    vec_clear(&numbers);
    assert_int_equal(numbers.len, 0);
    assert_int_equal(numbers.cap, capacity);
    vec_release(&numbers);
    assert_null(numbers.data);
}

static void vector_reserves_exactly_once(void **state)
{
    (void)state;
    Vec(int) numbers = {0};
    vec_reserve(&numbers, 1000);
    int *data = numbers.data;
    for (int i = 0; i < 1000; i++) vec_push(&numbers, i);
    assert_ptr_equal(data, numbers.data);
    vec_release(&numbers);
}

static void string_builder_concatenates(void **state)
{
    (void)state;
    StrBuf buf = {0};
    strbuf_add(&buf, "a");
    strbuf_addf(&buf, "%d-%s", 42, "b");
    strbuf_add_bytes(&buf, "x\0y", 3);
    assert_int_equal(buf.len, 8);
    assert_memory_equal(buf.text, "a42-bx\0y", 9);
    strbuf_clear(&buf);
    assert_string_equal(buf.text, "");
    for (int i = 0; i < 5000; i++) strbuf_addf(&buf, "%05d", i);
    assert_int_equal(buf.len, 25000);
    assert_int_equal(strlen(buf.text), 25000);
    assert_memory_equal(buf.text + 5 * 4999, "04999", 5);
    strbuf_release(&buf);
    assert_null(buf.text);
}

static void errors_carry_their_text(void **state)
{
    (void)state;
    Error error;
    assert_int_equal(fail(&error, "%s:%d: %s", "a.c", 3, "what"), FAILED);
    assert_string_equal(error.text, "a.c:3: what");
    char *long_text = mem_alloc(5000);
    memset(long_text, 'x', 4999);
    assert_int_equal(fail(&error, "%s", long_text), FAILED);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_int_equal(fail(NULL, "nobody listens"), FAILED);
    free(long_text);
}

static void formatted_memory_is_owned_by_the_caller(void **state)
{
    (void)state;
    char *text = mem_format("%s/%03u", "dir", 7u), *copy = mem_strdup(text);
    assert_string_equal(text, "dir/007");
    text[0] = 'D';
    assert_string_equal(copy, "dir/007");
    free(text);
    free(copy);
}

static void words_are_split_as_a_shell_does(void **state)
{
    (void)state;
    static const char *const expected[] = {"-DA=b c", "x", "", "it's", "a\"b", "\\n", "tail"};
    uint32_t count;
    char **words = text_words("  '-DA=b c' x '' \"it's\"\ta\\\"b '\\n' tail ", &count);
    assert_int_equal(count, COUNT_OF(expected));
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(words[i], expected[i]);
        free(words[i]);
    }
    free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_split_as_a_shell_does),
        cmocka_unit_test(arena_blocks_are_zeroed_aligned_and_apart),
        cmocka_unit_test(arena_takes_a_block_larger_than_its_chunks),
        cmocka_unit_test(vector_keeps_order_while_growing),
        cmocka_unit_test(vector_reserves_exactly_once),
        cmocka_unit_test(string_builder_concatenates),
        cmocka_unit_test(errors_carry_their_text),
        cmocka_unit_test(formatted_memory_is_owned_by_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
