/* base: random numbers are the same everywhere, hashes spread. */
#include "base/base.h"

#include <setjmp.h>

#include <cmocka.h>

/* Worked out from the published algorithms (splitmix64 seeding xoshiro256**), in this order of state words. */
static void the_sequence_is_fixed(void **state)
{
    (void)state;
    Random random = {{1, 2, 3, 4}};
    const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240};
    for (size_t i = 0; i < COUNT_OF(expected); i++) assert_int_equal(random_next(&random), expected[i]);
    random_seed(&random, 0);
    assert_int_equal(random.s[0], 0xe220a8397b1dcdaf);
    assert_int_equal(random.s[1], 0x6e789e6aa1b965f4);
}

static void equal_seeds_give_equal_numbers(void **state)
{
    (void)state;
    Random a, b, c;
    random_seed(&a, 99);
    random_seed(&b, 99);
    random_seed(&c, 100);
    bool differs = false;
    for (int i = 0; i < 100; i++) {
        uint64_t x = random_next(&a);
        assert_int_equal(x, random_next(&b));
        differs |= x != random_next(&c);
    }
    assert_true(differs);
}

static void below_stays_below_and_reaches_all(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 5);
    uint32_t seen[10] = {0};
    for (int i = 0; i < 100000; i++) {
        uint64_t x = random_below(&random, 10);
        assert_true(x < 10);
        seen[x]++;
    }
    for (int i = 0; i < 10; i++) assert_in_range(seen[i], 9500, 10500);
    for (int i = 0; i < 100; i++) assert_int_equal(random_below(&random, 1), 0);
}

static void hash_depends_on_every_byte(void **state)
{
    (void)state;
    unsigned char bytes[64] = {0};
    uint64_t base = hash_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] ^= (unsigned char)(1 << bit);
            assert_int_not_equal(hash_bytes(bytes, sizeof bytes), base);
            bytes[i] ^= (unsigned char)(1 << bit);
        }
    }
    assert_int_not_equal(hash_bytes(bytes, 63), base);
}

static void the_clock_does_not_go_back(void **state)
{
    (void)state;
    double before = clock_seconds();
    for (int i = 0; i < 1000; i++) {
        double now = clock_seconds();
        assert_true(now >= before);
        before = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sequence_is_fixed),
        cmocka_unit_test(equal_seeds_give_equal_numbers),
        cmocka_unit_test(below_stays_below_and_reaches_all),
        cmocka_unit_test(hash_depends_on_every_byte),
        cmocka_unit_test(the_clock_does_not_go_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
