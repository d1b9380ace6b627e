/* Bodies of tests from records made by hand. */
#include "program.h"

#include <stdio.h>

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct Fixture {
    Program program;
    Units *units;
    Record record;
} Fixture;

static void setup(Fixture *f, const char *name)
{
    UnitOptions options = {0};
    Error error = {0};
    memset(f, 0, sizeof *f);
    program_init(&f->program);
    assert_int_equal(units_plan(&f->program.decls, &options, &name, 1, &f->units, &error), OK);
    f->record.unit = mem_strdup(name);
    f->record.end = END_RETURN;
}

static void teardown(Fixture *f)
{
    record_release(&f->record);
    units_free(f->units);
}

static void input(Fixture *f, const char *name, char type, uint32_t width, uint64_t bits)
{
    RecordInput value = {.name = mem_strdup(name), .type = type, .width = width, .bits = bits};
    vec_push(&f->record.inputs, value);
}

static void seen(Fixture *f, const char *name, char type, uint32_t width, uint64_t bits)
{
    RecordSeen value = {.name = mem_strdup(name), .type = type, .defined = true, .width = width, .bits = bits};
    vec_push(&f->record.seen, value);
}

static void object(Fixture *f, const char *name, uint64_t address)
{
    RecordSeen value = {.name = mem_strdup(name), .type = 'o', .defined = true, .width = 64, .address = address};
    vec_push(&f->record.seen, value);
}

static void expect(Fixture *f, const char *body)
{
    StrBuf out = {0};
    unit_test_body(units_at(f->units, 0), &f->record, "assert", &out);
    assert_string_equal(out.text, body);
    strbuf_release(&out);
}

/* Memory that is all initialised but for the byte `unset`. */
static void memory(Fixture *f, uint32_t moment, uint64_t address, const void *bytes, uint32_t n, uint32_t unset)
{
    RecordMemory m = {.name = mem_strdup(""), .kind = MEMORY_HEAP, .moment = moment, .address = address, .size = n, .count = n};
    m.bytes = mem_alloc(n + 1);
    m.set = mem_alloc(n + 1);
    memcpy(m.bytes, bytes, n);
    memset(m.set, 1, n);
    if (unset < n) m.set[unset] = 0;
    vec_push(&f->record.memory, m);
}

static void a_list(void **state)
{
    (void)state;
    Fixture f;
    setup(&f, "sum");
    object(&f, "list_object", 0x1000);
    object(&f, "list_next", 0x2000);
    object(&f, "list_next_next", 0x3000);
    input(&f, "list_object.value", 'i', 32, 1);
    input(&f, "list_object.next", 'p', 64, 0x2000);
    input(&f, "list_next.value", 'i', 32, 3);
    input(&f, "list_next.next", 'p', 64, 0);
    input(&f, "list_next_next.value", 'i', 32, 99);
    input(&f, "list", 'p', 64, 0x1000);
    input(&f, "n", 'i', 32, 2);
    seen(&f, "result", 'i', 32, 4);
    expect(&f, "    struct node list_next = {.value = 3};\n"
               "    struct node list_object = {.value = 1, .next = &list_next};\n"
               "    int result = sum(&list_object, 2);\n"
               "    assert(result == 4);\n");
    StrBuf name = {0};
    unit_test_name(units_at(f.units, 0), &f.record, &name);
    assert_string_equal(name.text, "sum_with_n_2_returns_4");
    strbuf_release(&name);
    teardown(&f);
}

static void arrays_have_the_length_of_the_run(void **state)
{
    (void)state;
    Fixture f;
    setup(&f, "total");
    object(&f, "a", 0x1000);
    input(&f, "a[0]", 'i', 32, 0);
    input(&f, "a[1]", 'i', 32, 5);
    input(&f, "a[3]", 'i', 32, 7); /* beyond the end */
    input(&f, "a", 'p', 64, 0x1000);
    input(&f, "n", 'i', 32, 3);
    seen(&f, "result", 'i', 32, 5);
    expect(&f, "    int a[3] = {0, 5};\n"
               "    int result = total(a, 3);\n"
               "    assert(result == 5);\n");
    f.record.inputs.data[4].bits = 0xffffffffu;
    expect(&f, "    int a[1] = {0};\n"
               "    int result = total(a + 1, -1);\n"
               "    assert(result == 5);\n");
    f.record.inputs.data[3].bits = 0;
    f.record.seen.data[1].defined = false;
    expect(&f, "    total(NULL, -1);\n"
               "    /* It returns. There is nothing to compare: no result, no change, no call of a stub. */\n");
    teardown(&f);
}

static void texts(void **state)
{
    (void)state;
    Fixture f;
    setup(&f, "upper");
    object(&f, "s", 0x1000);
    input(&f, "s", 'p', 64, 0x1000);
    input(&f, "s[0]", 'c', 8, 'a');
    input(&f, "s[1]", 'c', 8, '"');
    input(&f, "s[2]", 'c', 8, 0);
    seen(&f, "s[0]", 'c', 8, 'A');
    seen(&f, "s[1]", 'c', 8, '"');
    seen(&f, "s[2]", 'c', 8, 0);
    expect(&f, "    char s[64] = \"a\\\"\";\n"
               "    upper(s);\n"
               "    assert(strcmp(s, \"A\\\"\") == 0);\n");
    f.record.end = END_BUG;
    expect(&f, "    char s[64] = \"a\\\"\";\n"
               "    upper(s);\n");
    f.record.end = END_RETURN;
    f.record.inputs.data[1].bits = 0xe9;
    f.record.seen.data[1].bits = 0xe8;
    expect(&f, "    char s[64] = {-23, '\"'};\n"
               "    upper(s);\n"
               "    assert(s[0] == -24);\n");
    teardown(&f);
}

/* The record says how many elements were inputs; the text then ends after them. */
static void texts_are_as_long_as_their_bound(void **state)
{
    (void)state;
    Fixture f;
    setup(&f, "upper");
    object(&f, "s", 0x1000);
    input(&f, "s", 'p', 64, 0x1000);
    f.record.doublings = 3;
    for (uint32_t i = 0; i < 12; i++) {
        char name[8];
        snprintf(name, sizeof name, "s[%u]", i);
        input(&f, name, 'c', 8, 'a' + i);
    }
    expect(&f, "    char s[65] = \"abcdefghijkl\";\n"
               "    upper(s);\n"
               "    /* It returns. There is nothing to compare: no result, no change, no call of a stub. */\n");
    f.record.doublings = 0;
    expect(&f, "    char s[64] = \"abcdefgh\";\n"
               "    upper(s);\n"
               "    /* It returns. There is nothing to compare: no result, no change, no call of a stub. */\n");
    teardown(&f);
}

static void heap_objects_and_rings(void **state)
{
    (void)state;
    Fixture f;
    setup(&f, "drop");
    object(&f, "list_object", 0x1000);
    object(&f, "list_next", 0x2000);
    input(&f, "list", 'p', 64, 0x1000);
    input(&f, "list_object.next", 'p', 64, 0x2000);
    expect(&f, "    struct node *list_next = malloc(sizeof *list_next);\n"
               "    *list_next = (struct node){0};\n"
               "    struct node *list_object = malloc(sizeof *list_object);\n"
               "    *list_object = (struct node){.next = list_next};\n"
               "    drop(list_object);\n"
               "    /* It returns. There is nothing to compare: no result, no change, no call of a stub. */\n");
    teardown(&f);
    setup(&f, "same");
    object(&f, "a_object", 0x1000);
    object(&f, "a_next", 0x2000);
    input(&f, "a", 'p', 64, 0x1000);
    input(&f, "b", 'p', 64, 0x1000);
    input(&f, "a_object.next", 'p', 64, 0x2000);
    input(&f, "a_next.next", 'p', 64, 0x1000);
    seen(&f, "a_object.next", 'p', 64, 0x1000);
    seen(&f, "result", 'i', 32, 1);
    expect(&f, "    struct node a_next = {0};\n"
               "    struct node a_object = {.next = &a_next};\n"
               "    a_next.next = &a_object;\n"
               "    int result = same(&a_object, &a_object);\n"
               "    assert(result == 1);\n"
               "    assert(a_object.next == &a_object);\n");
    teardown(&f);
}

static void stubs_give_what_the_run_had(void **state)
{
    (void)state;
    Fixture f;
    setup(&f, "measure");
    input(&f, "channel", 'i', 32, 1);
    input(&f, "counter", 'i', 32, 0);
    input(&f, "sensor()", 'i', 32, 3);
    input(&f, "sensor().*value", 'i', 32, 9);
    input(&f, "sensor()", 'i', 32, 7);
    seen(&f, "result", 'i', 32, 10);
    seen(&f, "counter", 'i', 32, 2);
    expect(&f, "    counter = 0;\n"
               "    sensor_results = (const int[]){3, 7};\n"
               "    sensor_results_left = 2;\n"
               "    sensor_value = (const int[]){9};\n"
               "    sensor_value_left = 1;\n"
               "    int result = measure(1);\n"
               "    assert(result == 10);\n"
               "    assert(counter == 2);\n");
    StrBuf prelude = {0};
    unit_test_prelude(units_at(f.units, 0), NULL, &prelude);
    assert_non_null(strstr(prelude.text, "int sensor(int channel, int *value)\n"));
    assert_non_null(strstr(prelude.text, "    if (value != NULL && sensor_value_left-- > 0) *value = *sensor_value++;\n"));
    assert_non_null(strstr(
        prelude.text, "    if (sensor_results_left-- > 0) return *sensor_results++;\n    clew_out_of_inputs();\n    return (int){0};\n"));
    strbuf_release(&prelude);
    teardown(&f);
}

static void stubs_compare_what_they_receive(void **state)
{
    (void)state;
    Fixture f;
    setup(&f, "measure");
    input(&f, "channel", 'i', 32, 1);
    input(&f, "counter", 'i', 32, 0);
    input(&f, "sensor()", 'i', 32, 3);
    seen(&f, "sensor", 'k', 0, 0);
    seen(&f, "channel", 'i', 32, 1);
    seen(&f, "value", 'p', 64, 0x9000);
    expect(&f, "    counter = 0;\n"
               "    sensor_results = (const int[]){3};\n"
               "    sensor_results_left = 1;\n"
               "    clew_expect_call(\"sensor(channel = %d, value = ?)\", (long long)1);\n"
               "    measure(1);\n"
               "    clew_check_calls(1);\n");
    f.record.seen.data[1].defined = false;
    f.record.seen.data[2].bits = 0;
    expect(&f, "    counter = 0;\n"
               "    sensor_results = (const int[]){3};\n"
               "    sensor_results_left = 1;\n"
               "    clew_expect_call(\"sensor(channel = ?, value = %p)\", (const void *)NULL);\n"
               "    measure(1);\n"
               "    clew_check_calls(1);\n");
    StrBuf prelude = {0};
    unit_test_prelude(units_at(f.units, 0), NULL, &prelude);
    assert_non_null(
        strstr(prelude.text, "    clew_called(\"sensor(channel = %d, value = %p)\", (long long)channel, (const void *)value);\n"));
    strbuf_release(&prelude);
    teardown(&f);
}

/* Of a struct that the function has made, the fields that are initialised, and what they lead to. */
static void what_pointers_lead_to_is_compared(void **state)
{
    (void)state;
    static const struct node {
        int value;
        uint64_t next;
    } first = {5, 0x6000}, second = {6, 0x5000};
    Fixture f;
    setup(&f, "drop");
    object(&f, "list_object", 0x1000);
    input(&f, "list", 'p', 64, 0x1000);
    input(&f, "list_object.next", 'p', 64, 0);
    seen(&f, "list_object.next", 'p', 64, 0x5000);
    memory(&f, 0, 0x5000, &first, sizeof first, 4); /* padding */
    memory(&f, 0, 0x6000, &second, sizeof second, 0);
    expect(&f, "    struct node *list_object = malloc(sizeof *list_object);\n"
               "    *list_object = (struct node){0};\n"
               "    drop(list_object);\n"
               "    assert(list_object->next->value == 5);\n"
               "    assert(list_object->next->next->next == list_object->next);\n");
    f.record.memory.data[0].moment = 1; /* it was so only when a stub was called */
    expect(&f, "    struct node *list_object = malloc(sizeof *list_object);\n"
               "    *list_object = (struct node){0};\n"
               "    drop(list_object);\n"
               "    assert(list_object->next != NULL);\n");
    teardown(&f);
}

/* What the machine remembers of a buffer is compared whole, also where it is no input. */
static void all_that_was_written_is_compared(void **state)
{
    (void)state;
    char bytes[64] = "a long text that has more than eight characters\001";
    Fixture f;
    setup(&f, "upper");
    object(&f, "s", 0x1000);
    input(&f, "s", 'p', 64, 0x1000);
    seen(&f, "s[0]", 'c', 8, 'a');
    f.record.seen.data[1].address = 0x1000;
    memory(&f, 0, 0x1000, bytes, sizeof bytes, UINT32_MAX);
    expect(&f, "    char s[64] = {0};\n"
               "    upper(s);\n"
               "    assert(memcmp(s, (const char[64]){\"a long text that has more than eight characters\\001\"}, 64) == 0);\n");
    f.record.memory.data[0].set[63] = 0;
    expect(&f, "    char s[64] = {0};\n"
               "    upper(s);\n"
               "    assert(memcmp(s, \"a long text that has more than eight characters\\001\", 48) == 0);\n");
    teardown(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list),
        cmocka_unit_test(arrays_have_the_length_of_the_run),
        cmocka_unit_test(texts),
        cmocka_unit_test(texts_are_as_long_as_their_bound),
        cmocka_unit_test(heap_objects_and_rings),
        cmocka_unit_test(stubs_give_what_the_run_had),
        cmocka_unit_test(stubs_compare_what_they_receive),
        cmocka_unit_test(what_pointers_lead_to_is_compared),
        cmocka_unit_test(all_that_was_written_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
