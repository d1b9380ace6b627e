/* Plans and harnesses: what is assumed, which objects there are, what the user's options change. */
#include "program.h"

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static Units *plan(Program *p, const UnitOptions *options, const char *name)
{
    Units *units = NULL;
    Error error = {0};
    program_init(p);
    if (units_plan(&p->decls, options, &name, 1, &units, &error) != OK) print_error("%s\n", error.text);
    assert_non_null(units);
    assert_int_equal(units_count(units), 1);
    return units;
}

static bool assumes(const Units *units, const char *text)
{
    uint32_t count;
    const char *const *list = unit_assumptions(units_at(units, 0), &count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i], text) == 0) return true;
    }
    return false;
}

static bool harness_has(const Units *units, const char *text)
{
    StrBuf out = {0};
    units_harness(units, 0, &out);
    bool found = out.text && strstr(out.text, text);
    strbuf_release(&out);
    return found;
}

static void lists_end_at_their_depth(void **state)
{
    (void)state;
    Program p;
    UnitOptions options = {0};
    Units *units = plan(&p, &options, "sum");
    const Plan *made = &units_at(units, 0)->plan;
    assert_int_equal(made->objects.len, 5);
    assert_string_equal(made->objects.data[0]->name, "list_object");
    assert_string_equal(made->objects.data[1]->name, "list_next");
    assert_string_equal(made->objects.data[2]->name, "list_next_next");
    assert_true(assumes(units, "list is NULL or points to one struct node"));
    assert_true(assumes(units, "list->next is NULL or points to another struct node, down to a depth of 5"));
    assert_true(harness_has(units, "clew__pointer(\"list_object.next\", 2, clew__choices)"));
    assert_false(harness_has(units, "clew__pointer(\"list_next_next_next_next.next\""));
    assert_false(harness_has(units, "clew__observe((const void *)&clew__o_sum_list_object")); /* const */
    units_free(units);
}

static void a_length_limits_its_array(void **state)
{
    (void)state;
    Program p;
    UnitOptions options = {0};
    Units *units = plan(&p, &options, "total");
    assert_true(assumes(units, "a is NULL or points to n elements, n at most 4096; those after the first 8 are 0"));
    assert_true(assumes(units, "a: up to 64 where 8 are not enough"));
    assert_true(harness_has(units, "clew__inputs((void *)&clew__o_total_a[0], sizeof clew__o_total_a[0], "
                                   "clew__bound((void *)clew__o_total_a, 8, 64, sizeof clew__o_total_a[0], 0, 0), 'i', \"a\")"));
    assert_true(harness_has(units, "clew__limit((void *)clew__o_total_a, "));
    assert_true(harness_has(units, "clew__assume(((long long)clew__p_n <= 4096LL))"));
    units_free(units);
}

static void options_win(void **state)
{
    (void)state;
    Program p;
    UnitOptions options = {0};
    UnitWish array = {"total.a", "5"}, string = {"s", "3"};
    vec_push(&options.arrays, array);
    vec_push(&options.nonnull, "a");
    Units *units = plan(&p, &options, "total");
    assert_true(assumes(units, "a points to 5 elements"));
    assert_false(harness_has(units, "clew__limit((void *)clew__o"));
    assert_true(harness_has(units, "clew__pointer(\"a\", 1, clew__choices)"));
    units_free(units);
    vec_release(&options.arrays);
    vec_release(&options.nonnull);
    vec_push(&options.strings, string);
    units = plan(&p, &options, "upper");
    assert_true(assumes(units, "s is NULL or a string of up to 3 characters"));
    assert_false(harness_has(units, "= clew__bound("));
    assert_false(harness_has(units, ", clew__bound("));
    units_free(units);
    vec_release(&options.strings);
}

static void unknown_names_are_errors(void **state)
{
    (void)state;
    Program p;
    UnitOptions options = {0};
    Units *units = NULL;
    Error error;
    const char *name = "sum";
    program_init(&p);
    vec_push(&options.nonnull, "lits");
    assert_int_equal(units_plan(&p.decls, &options, &name, 1, &units, &error), FAILED);
    assert_non_null(strstr(error.text, "lits"));
    vec_clear(&options.nonnull);
    vec_push(&options.nonnull, "list->next");
    assert_int_equal(units_plan(&p.decls, &options, &name, 1, &units, &error), OK);
    units_free(units);
    vec_release(&options.nonnull);
    name = "product";
    assert_int_equal(units_plan(&p.decls, &options, &name, 1, &units, &error), FAILED);
}

static void assumes_go_where_their_names_are(void **state)
{
    (void)state;
    Program p;
    UnitOptions options = {0};
    Units *units = NULL;
    Error error;
    program_init(&p);
    vec_push(&options.assumes, "n >= 0 && list->value != 'n'");
    assert_int_equal(units_plan(&p.decls, &options, NULL, 0, &units, &error), OK);
    for (uint32_t i = 0; i < units_count(units); i++) {
        bool is_sum = strcmp(unit_name(units_at(units, i)), "sum") == 0;
        assert_int_equal(units_at(units, i)->assumes.len, is_sum ? 1 : 0);
    }
    assert_true(harness_has(units, "clew__assume((n >= 0 && list->value != 'n') != 0);"));
    units_free(units);
    options.assumes.data[0] = "m > 3";
    assert_int_equal(units_plan(&p.decls, &options, NULL, 0, &units, &error), FAILED);
    vec_release(&options.assumes);
}

static void what_is_freed_is_allocated(void **state)
{
    (void)state;
    Program p;
    UnitOptions options = {0};
    Units *units = plan(&p, &options, "drop");
    assert_true(harness_has(units, "clew__o_drop_list_object = clew__calloc(1, sizeof(struct node))"));
    assert_true(units_at(units, 0)->plan.objects.data[1]->heap);
    units_free(units);
}

static void undefined_functions_have_stubs(void **state)
{
    (void)state;
    Program p;
    UnitOptions options = {0};
    Units *units = plan(&p, &options, "measure");
    assert_true(units_is_stub(units, "sensor"));
    assert_false(units_is_stub(units, "free"));
    assert_true(assumes(units, "sensor, which no source defines, may give anything"));
    assert_true(assumes(units, "the global counter may have any value"));
    assert_true(harness_has(units, "\"sensor().*value\""));
    assert_true(harness_has(units, "\"sensor()\""));
    assert_true(harness_has(units, "clew__input((void *)&counter, sizeof counter, 'i', \"counter\")"));
    units_free(units);
    Error error;
    assert_int_equal(units_plan_program(&p.decls, &options, &units, &error), OK);
    assert_int_equal(units_count(units), 0);
    assert_true(harness_has(units, "\"sensor()\""));
    units_free(units);
}

static void compared_pointers_may_be_the_same(void **state)
{
    (void)state;
    Program p;
    UnitOptions options = {0};
    Units *units = plan(&p, &options, "same");
    const Unit *unit = units_at(units, 0);
    assert_int_equal(unit->params[0]->choices.len, 1);
    assert_int_equal(unit->params[1]->choices.len, 2);
    assert_ptr_equal(unit->params[1]->choices.data[1], unit->params[0]->choices.data[0]);
    assert_true(assumes(units, "b may point to the same struct node as a"));
    const Shape *next = unit->params[0]->choices.data[0]->value->parts.data[1];
    assert_string_equal(next->name, "a_object.next");
    assert_true(next->choices.len > 1); /* the list may be a ring */
    units_free(units);
}

static void lengths_are_found_by_name(void **state)
{
    (void)state;
    Program p;
    program_init(&p);
    CField fields[] = {{.name = "data", .type = &p.int_pointer},
                       {.name = "len", .type = &p.int_type, .offset = 64},
                       {.name = "cap", .type = &p.int_type, .offset = 96}};
    CType vector = {.kind = C_STRUCT, .plain = "struct vector", .fields = fields, .field_count = 3};
    assert_int_equal(unit__length_field(&vector, 0), 2);
    fields[2].name = "flags";
    assert_int_equal(unit__length_field(&vector, 0), 1);
    fields[1].name = "data_count";
    assert_int_equal(unit__length_field(&vector, 0), 1);
    fields[1].name = "colour";
    assert_int_equal(unit__length_field(&vector, 0), UINT32_MAX);
    fields[1].name = "len";
    fields[0].type = &p.node_pointer;
    vector.fields = p.node.fields = fields; /* a list with a length is no array */
    assert_int_equal(unit__length_field(&p.node, 0), UINT32_MAX);
}

static Units *plan_changed(Program *p, const char *name)
{
    Units *units = NULL;
    Error error = {0};
    UnitOptions options = {0};
    assert_int_equal(units_plan(&p->decls, &options, &name, 1, &units, &error), OK);
    return units;
}

/* int sensor(char *text, int room), and without the length; what a `void *` is for is not known. */
static void stubs_fill_buffers(void **state)
{
    (void)state;
    Program p;
    program_init(&p);
    p.params[SENSOR][0] = &p.char_pointer;
    p.params[SENSOR][1] = &p.int_type;
    p.function_params[SENSOR][0] = (CParam){.name = "text", .type = &p.char_pointer};
    p.function_params[SENSOR][1] = (CParam){.name = "room", .type = &p.int_type};
    Units *units = plan_changed(&p, "measure");
    assert_true(harness_has(units, "clew__filled((void *)clew__a0, 1, (clew__a1 > 0) * (__SIZE_TYPE__)clew__a1, 'c', "
                                   "\"sensor().text\", \"sensor().text.count\", 3);"));
    units_free(units);
    p.function_params[SENSOR][1].name = "channel";
    units = plan_changed(&p, "measure");
    assert_true(harness_has(units, "clew__filled((void *)clew__a0, 1, 8, 'c', \"sensor().text\", \"sensor().text.count\", 1);"));
    units_free(units);
    CType any = pointer_to(&p.void_type, "void *");
    p.params[SENSOR][0] = p.function_params[SENSOR][0].type = &any;
    units = plan_changed(&p, "measure");
    assert_false(harness_has(units, "clew__filled("));
    units_free(units);
    p.function_params[SENSOR][1].name = "size";
    units = plan_changed(&p, "measure");
    assert_true(harness_has(units, "clew__filled((void *)clew__a0, 1, (clew__a1 > 0)"));
    units_free(units);
}

static void undefined_variables_are_defined(void **state)
{
    (void)state;
    Program p;
    program_init(&p);
    p.globals[0].defined = false;
    Units *units = plan_changed(&p, "measure");
    assert_true(harness_has(units, "\nint counter;\n"));
    assert_true(harness_has(units, "clew__input((void *)&counter,"));
    units_free(units);
    p.globals[0].type = &p.const_int;
    units = plan_changed(&p, "measure");
    assert_true(
        harness_has(units, "static int counter_value;\nextern const int counter __attribute__((weak, alias(\"counter_value\")));\n"));
    assert_true(harness_has(units, "clew__input((void *)&counter_value, sizeof counter_value, 'i', \"counter\")"));
    units_free(units);
    p.globals[0].name = "environ"; /* the C library's */
    units = plan_changed(&p, "measure");
    assert_false(harness_has(units, "environ"));
    units_free(units);
}

/* A struct that no source defines is a handle; one that some source defines is not. */
static void incomplete_types_are_handles(void **state)
{
    (void)state;
    Program p;
    program_init(&p);
    CType device = {.kind = C_INCOMPLETE, .spelling = "struct device", .plain = "struct device"};
    CType handle = pointer_to(&device, "struct device *");
    p.params[MEASURE][0] = p.function_params[MEASURE][0].type = &handle;
    Units *units = plan_changed(&p, "measure");
    assert_true(assumes(units, "channel is NULL or a handle: nothing here looks into it"));
    assert_true(harness_has(units, "clew__pointer(\"channel\", 2, clew__choices)"));
    units_free(units);
    device.plain = device.spelling = "struct node";
    units = plan_changed(&p, "measure");
    assert_true(assumes(units, "channel is NULL: nothing is known here of what channel points to"));
    units_free(units);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_end_at_their_depth),
        cmocka_unit_test(a_length_limits_its_array),
        cmocka_unit_test(options_win),
        cmocka_unit_test(unknown_names_are_errors),
        cmocka_unit_test(assumes_go_where_their_names_are),
        cmocka_unit_test(what_is_freed_is_allocated),
        cmocka_unit_test(undefined_functions_have_stubs),
        cmocka_unit_test(compared_pointers_may_be_the_same),
        cmocka_unit_test(lengths_are_found_by_name),
        cmocka_unit_test(stubs_fill_buffers),
        cmocka_unit_test(undefined_variables_are_defined),
        cmocka_unit_test(incomplete_types_are_handles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
