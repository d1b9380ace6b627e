/* vm: what a unit's harness asks of the machine. */
#include "machine.h"

#define ASK \
    "void clew__input(void *, unsigned long, int, const char *); void clew__inputs(void *, unsigned long, unsigned long, int, const char " \
    "*);" \
    "void *clew__pointer(const char *, unsigned, void *const *); void clew__limit(void *, unsigned long); void clew__assume(int);" \
    "void clew__observe(const void *, unsigned long, unsigned long, int, const char *); void clew__object(void *, const char *);" \
    "void clew__returned(void); int clew__called(const char *);" \
    "unsigned long clew__bound(void *, unsigned long, unsigned long, unsigned long, unsigned long, int);" \
    "void clew__fill(void *, unsigned long, unsigned long, int, const char *, int);"

#define GUEST_MEMORY 0x200000000000u /* where the smallest objects are */

static const VmOptions exploring = {.exploring = true, .marks = true, .stop_at_report = true, .observing = true};

static VmMark start(Machine *m)
{
    Error error;
    if (vm_start_function(m->vm, function_of(m->program, "test"), NULL, 0, &error) != OK) fail_msg("%s", error.text);
    return vm_mark(m->vm);
}

static VmStop run_with(Machine *m, VmMark first, const U128 *values, uint32_t count)
{
    vm_return(m->vm, first);
    vm_give(m->vm, values, count);
    return vm_run(m->vm);
}

static uint32_t conditions_of(const Machine *m, ConditionKind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < vm_path_length(m->vm); i++) count += vm_condition(m->vm, i)->kind == kind;
    return count;
}

/* A path is divided where the program looks at a pointer, by which object it is, and completeness is not lost. */
static void pointers_divide_the_path_where_they_are_used(void **state)
{
    (void)state;
    Machine m;
    machine_init(&m,
                 ASK "static int x = 5, y = 7; int test(void) { int *p = clew__pointer(\"p\", 3, (void *const[]){0, &x, &y});"
                     "int *unused = clew__pointer(\"q\", 2, (void *const[]){0, &x}); (void)unused; return p ? *p : 1; }",
                 exploring);
    VmMark first = start(&m);
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    assert_int_equal((int)vm_result(m.vm, NULL), 1);
    assert_int_equal(vm_input_info(m.vm, 0).type, 'p');
    uint64_t x = 0, y = 0; /* the values stand in the assumption: p is 0 or x or y */
    for (uint64_t address = GUEST_MEMORY; address < GUEST_MEMORY + 65536 && !y; address += 4) {
        U128 values[] = {address};
        VmStop stop = run_with(&m, first, values, 1);
        if (stop.kind != VM_EXIT || (int)vm_result(m.vm, NULL) == 1) continue;
        if ((int)vm_result(m.vm, NULL) == 5) x = address;
        if ((int)vm_result(m.vm, NULL) == 7) y = address;
        assert_int_equal(conditions_of(&m, CONDITION_CONCRETE), 0);
        assert_int_equal(conditions_of(&m, CONDITION_OBJECT), 1);
    }
    assert_true(x && y && x != y);
    machine_release(&m);
}

/* The end of an array depends on an input, and every access is checked against it. */
static void arrays_end_where_their_length_says(void **state)
{
    (void)state;
    Machine m;
    machine_init(&m,
                 ASK "static int a[100]; int test(void) { unsigned n, i; clew__input(&n, 4, 'u', \"n\"); clew__input(&i, 4, 'u', \"i\");"
                     "clew__inputs(a, 4, 8, 'i', \"a\"); clew__limit(a, n * 4ul); if (i >= 100) return -1; return a[i] + a[2]; }",
                 exploring);
    VmMark first = start(&m);
    const struct {
        unsigned n, i;
        bool fine;
    } cases[] = {{3, 2, true}, {3, 3, false}, {2, 0, false}, {100, 99, true}, {0, 100, true}, {0, 0, false}, {8, 7, true}};
    vm_run(m.vm);
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        U128 values[] = {cases[k].n, cases[k].i, 0, 0, 40, 0, 0, 0, 0, 2};
        VmStop stop = run_with(&m, first, values, COUNT_OF(values));
        assert_int_equal(stop.kind, cases[k].fine ? VM_EXIT : VM_BUG);
        if (!cases[k].fine) assert_int_equal(stop.bug, BUG_OUT_OF_BOUNDS);
    }
    U128 too_long[] = {101, 0};
    assert_int_equal(run_with(&m, first, too_long, 2).kind, VM_ASSUMPTION);
    machine_release(&m);
}

static const VmObservation *observed(const Machine *m, const char *name)
{
    for (uint32_t i = 0; i < vm_observation_count(m->vm); i++)
        if (strcmp(vm_observation(m->vm, i)->name, name) == 0) return vm_observation(m->vm, i);
    return NULL;
}

static void what_is_left_behind_is_seen(void **state)
{
    (void)state;
    Machine m;
    machine_init(
        &m,
        ASK
        "void free(void *); void *malloc(unsigned long); static short a[10];"
        "int test(void) { int x, never; int *gone = malloc(4); clew__input(&x, 4, 'i', \"x\"); *gone = 3; free(gone); clew__limit(a, 6);"
        "x += 1; a[1] = 9; clew__returned(); clew__object(a, \"a\"); clew__observe(&x, 4, 1, 'i', \"x\");"
        "clew__observe(&never, 4, 1, 'i', \"never\"); clew__observe(gone, 4, 1, 'i', \"gone\");"
        "clew__observe(a, 2, 10, 'i', \"a\"); return 0; }",
        exploring);
    VmMark first = start(&m);
    assert_int_equal(run_with(&m, first, (const U128[]){41}, 1).kind, VM_EXIT);
    assert_true(vm_returned(m.vm));
    assert_int_equal((int)observed(&m, "x")->bits, 42);
    assert_false(observed(&m, "never")->defined);
    assert_null(observed(&m, "gone"));
    assert_int_equal((int)observed(&m, "a[1]")->bits, 9);
    assert_null(observed(&m, "a[3]"));
    assert_int_equal(observed(&m, "a")->type, 'o');
    vm_return(m.vm, first);
    assert_int_equal(vm_observation_count(m.vm), 0);
    assert_false(vm_returned(m.vm));
    machine_release(&m);
}

/* Memory that observed pointers lead to, when a stub is called and after the call. */
static void memory_behind_pointers_is_remembered(void **state)
{
    (void)state;
    Machine m;
    machine_init(
        &m,
        ASK "void *malloc(unsigned long); struct pair { char c; const char *text; }; static char buffer[4] = \"x\";"
            "static void stub(const char *a) { if (clew__called(\"stub\")) clew__observe(&a, 8, 1, 'p', \"a\"); }"
            "int test(void) { struct pair *p = malloc(sizeof *p); p->c = 7; p->text = \"yes\"; stub(buffer); buffer[0] = 'y'; stub(buffer);"
            "clew__returned(); clew__observe(&p, 8, 1, 'p', \"p\"); return 0; }",
        exploring);
    VmMark first = start(&m);
    assert_int_equal(run_with(&m, first, NULL, 0).kind, VM_EXIT);
    assert_int_equal(vm_observation(m.vm, 0)->type, 'k');
    assert_int_equal(vm_memory_count(m.vm), 4);
    for (uint32_t i = 0; i < 2; i++) {
        assert_string_equal(vm_memory(m.vm, i)->name, "buffer");
        assert_int_equal(vm_memory(m.vm, i)->moment, 1 + 2 * i);
        assert_int_equal(vm_memory(m.vm, i)->bytes[0], 'x' + i);
        assert_int_equal(vm_memory(m.vm, i)->zeros, 3);
    }
    const VmMemory *pair = vm_memory(m.vm, 2), *text = vm_memory(m.vm, 3);
    assert_true(pair->kind == 'h' && pair->size == 16 && pair->moment == 0);
    assert_true(pair->set[0] && pair->bytes[0] == 7 && !pair->set[1] && pair->set[8]);
    assert_memory_equal(text->bytes, "yes", 3);
    vm_return(m.vm, first);
    assert_int_equal(vm_memory_count(m.vm), 0);
    machine_release(&m);
}

/* How many inputs a buffer has, where it ends then, and when a run may need more. */
static void bounds_are_doubled(void **state)
{
    (void)state;
    Machine m;
    VmOptions options = exploring;
    options.observing = false;
    options.doublings = 1;
    machine_init(&m,
                 ASK "static char s[13]; int test(void) { clew__inputs(s, 1, clew__bound(s, 3, 12, 1, 4, 1), 'c', \"s\");"
                     "int n = 0; while (s[n]) n++; return n; }",
                 options);
    VmMark first = start(&m);
    VmStop stop = run_with(&m, first, (const U128[]){'a', 'b', 'c', 'd', 'e', 0}, 6);
    assert_int_equal(stop.status, 5);
    assert_int_equal(vm_input_count(m.vm), 6);
    assert_false(vm_meets_bound(m.vm, &stop));
    stop = run_with(&m, first, (const U128[]){'a', 'b', 'c', 'd', 'e', 'f'}, 6);
    assert_int_equal(stop.status, 6);
    assert_true(vm_meets_bound(m.vm, &stop));
    vm_set_doublings(m.vm, 2);
    stop = run_with(&m, first, (const U128[]){'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'}, 12);
    assert_int_equal(stop.status, 12);
    assert_false(vm_meets_bound(m.vm, &stop)); /* it cannot become larger */
    machine_release(&m);
}

/* An array that nothing ends is too short where a run comes to its end, not where a run leaves it by far. */
static void arrays_are_met_at_their_end(void **state)
{
    (void)state;
    Machine m;
    VmOptions options = exploring;
    options.observing = false;
    machine_init(&m,
                 ASK "static int a[12]; int test(void) { int n; clew__input(&n, sizeof n, 'i', \"n\");"
                     "clew__inputs(a, 4, clew__bound(a, 3, 12, 4, 12, 0), 'i', \"a\"); return a[n]; }",
                 options);
    VmMark first = start(&m);
    VmStop stop = run_with(&m, first, (const U128[]){2, 5, 6, 7}, 4);
    assert_int_equal(stop.status, 7);
    assert_false(vm_meets_bound(m.vm, &stop));
    stop = run_with(&m, first, (const U128[]){3, 5, 6, 7}, 4);
    assert_int_equal(stop.bug, BUG_OUT_OF_BOUNDS);
    assert_true(vm_meets_bound(m.vm, &stop));
    stop = run_with(&m, first, (const U128[]){100, 5, 6, 7}, 4);
    assert_int_equal(stop.bug, BUG_OUT_OF_BOUNDS);
    assert_false(vm_meets_bound(m.vm, &stop));
    vm_set_doublings(m.vm, 1);
    stop = run_with(&m, first, (const U128[]){3, 5, 6, 7, 8, 9, 10}, 7);
    assert_int_equal(stop.status, 8);
    machine_release(&m);
}

/* As many elements as there is room for, no more than asked for, and always as many inputs. */
static void buffers_are_filled_as_far_as_they_go(void **state)
{
    (void)state;
    Machine m;
    machine_init(&m,
                 ASK "int test(void) { unsigned n; short a[3] = {7, 7, 7}; char s[4] = {1, 1, 1, 1}, c; static const char text[4];"
                     "struct { int i; unsigned char b, d; } object = {0, 0, 5};"
                     "clew__input(&n, 4, 'u', \"n\"); clew__fill(a, 2, n, 'i', \"a\", 2);"
                     "clew__fill(s, 1, 8, 'c', \"s\", 1); clew__fill(&c, 1, 8, 'c', \"c\", 1);"
                     "clew__fill(&object.b, 1, 8, 'u', \"b\", 0);"
                     "clew__fill(0, 1, 8, 'c', \"null\", 1); clew__fill((char *)text, 1, 4, 'c', \"text\", 3);"
                     "clew__observe(a, 2, 3, 'i', \"a\"); clew__observe(s, 1, 4, 'c', \"s\"); clew__observe(&c, 1, 1, 'c', \"c\");"
                     "clew__observe(&object.b, 1, 2, 'u', \"b\"); return a[0] == 11; }",
                 exploring);
    VmMark first = start(&m);
    U128 values[1 + 6 * 9];
    for (size_t i = 0; i < COUNT_OF(values); i++) values[i] = i % 9 == 1 ? 0 : 10 + i % 9;
    values[0] = 2;
    assert_int_equal(run_with(&m, first, values, COUNT_OF(values)).kind, VM_EXIT);
    assert_int_equal(vm_input_count(m.vm), COUNT_OF(values));
    const struct {
        const char *name;
        int value;
    } expected[] = {{"a[0]", 12}, {"a[1]", 13}, {"a[2]", 7}, {"s[0]", 12}, {"s[2]", 14}, {"s[3]", 0}, {"c", 12}, {"b[0]", 12}, {"b[1]", 5}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_true(observed(&m, expected[i].name)->defined);
        assert_int_equal((int)observed(&m, expected[i].name)->bits, expected[i].value);
    }
    static const unsigned counts[] = {2, 4, 1, 1, 0, 0};
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        assert_int_equal((unsigned)expr_model_get(vm_model(m.vm), vm_input(m.vm, (uint32_t)(1 + 9 * i))), counts[i]);
    assert_int_equal(conditions_of(&m, CONDITION_CONCRETE), 0); /* n may still be any */
    values[0] = 0;
    values[2] = 11;
    assert_int_equal(run_with(&m, first, values, COUNT_OF(values)).kind, VM_EXIT);
    assert_int_equal((int)observed(&m, "a[0]")->bits, 7);
    machine_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointers_divide_the_path_where_they_are_used),
        cmocka_unit_test(arrays_end_where_their_length_says),
        cmocka_unit_test(what_is_left_behind_is_seen),
        cmocka_unit_test(memory_behind_pointers_is_remembered),
        cmocka_unit_test(bounds_are_doubled),
        cmocka_unit_test(arrays_are_met_at_their_end),
        cmocka_unit_test(buffers_are_filled_as_far_as_they_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
