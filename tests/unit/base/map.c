/* base: the two maps, against a plain array as reference, under random operations. */
#include "base/base.h"

#include <setjmp.h>
#include <stdio.h>

#include <cmocka.h>

enum { KEYS = 500 };

/* Keys that collide often: few distinct ones, spread in three ways. */
static uint64_t key_of(unsigned spread, uint64_t i)
{
    switch (spread) {
    case 0: return i;
    case 1: return i << 40;
    default: return i * 0x9e3779b97f4a7c15u;
    }
}

static void check_against(const Map *map, unsigned spread, const bool *present, const uint64_t *value)
{
    uint32_t count = 0;
    for (uint64_t i = 0; i < KEYS; i++) {
        uint64_t *found = map_find(map, key_of(spread, i));
        assert_int_equal(found != NULL, present[i]);
        if (found) assert_int_equal(*found, value[i]);
        count += present[i];
    }
    assert_int_equal(map->len, count);
}

static void map_agrees_with_an_array(void **state)
{
    (void)state;
    for (unsigned spread = 0; spread < 3; spread++) {
        Map map = {0};
        Random random;
        bool present[KEYS] = {false};
        uint64_t value[KEYS] = {0};
        random_seed(&random, spread);
        for (int step = 0; step < 20000; step++) {
            uint64_t i = random_below(&random, KEYS);
            if (random_below(&random, 5) < 3) {
                value[i] = random_next(&random);
                present[i] = true;
                map_put(&map, key_of(spread, i), value[i]);
            } else {
                present[i] = false;
                map_remove(&map, key_of(spread, i));
            }
            if (step % 500 == 0) check_against(&map, spread, present, value);
        }
        check_against(&map, spread, present, value);
        map_release(&map);
        assert_null(map_find(&map, key_of(spread, 1)));
    }
}

static void removing_what_is_absent_changes_nothing(void **state)
{
    (void)state;
    Map map = {0};
    map_remove(&map, 1);
    map_put(&map, 0, 10);
    map_put(&map, UINT64_MAX, 11);
    map_remove(&map, 1);
    assert_int_equal(map.len, 2);
    assert_int_equal(*map_find(&map, 0), 10);
    assert_int_equal(*map_find(&map, UINT64_MAX), 11);
    map_release(&map);
}

static void names_are_copied_and_found(void **state)
{
    (void)state;
    NameMap names = {0};
    char text[16];
    assert_null(names_find(&names, "x"));
    for (uint32_t i = 0; i < 3000; i++) {
        snprintf(text, sizeof text, "name%u", i);
        names_put(&names, text, i);
    }
    names_put(&names, "name7", 700);
    names_put(&names, "", 1);
    assert_int_equal(names.len, 3001);
    for (uint32_t i = 0; i < 3000; i++) {
        snprintf(text, sizeof text, "name%u", i);
        uint32_t *found = names_find(&names, text);
        assert_non_null(found);
        assert_int_equal(*found, i == 7 ? 700 : i);
    }
    assert_int_equal(*names_find(&names, ""), 1);
    assert_null(names_find(&names, "name3000"));
    names_release(&names);
    assert_int_equal(names.len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_agrees_with_an_array),
        cmocka_unit_test(removing_what_is_absent_changes_nothing),
        cmocka_unit_test(names_are_copied_and_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
