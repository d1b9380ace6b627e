/* isolate: watched calls - when they stop the run, what an isolated execution depends on and does, and how the caller goes on. */
#include "isolate/isolate.h"

#include "../vm/machine.h"

enum { PARAMETERS = 4 };

/* A machine that stands before a watched call made by the function test. */
typedef struct Watched {
    Machine m;
    Isolation *isolation;
    Expr inputs[PARAMETERS];
    VmMark start, call;
    IsolatedSession session;
    Map general;
    StrBuf before; /* the state at the call */
    bool holds;
    uint32_t asked;
} Watched;

static bool holds(void *data, Expr condition)
{
    Watched *w = data;
    assert_int_equal(expr_width(w->m.pool, condition), 1);
    w->asked++;
    return w->holds;
}

static void watched_start(Watched *w, const char *text)
{
    *w = (Watched){0};
    machine_init(&w->m, text, (VmOptions){.exploring = true, .quiet_output = true, .marks = true});
    machine_start(&w->m, w->inputs);
    w->isolation = isolation_new(w->m.vm, function_of(w->m.program, "test"));
    w->session = (IsolatedSession){.general = &w->general, .holds = holds, .data = w};
    w->start = vm_mark(w->m.vm);
}

static VmStop run_again(Watched *w)
{
    VmStop stop;
    while ((stop = vm_run(w->m.vm)).kind == VM_AGAIN) vm_return(w->m.vm, w->start);
    return stop;
}

static void stay_here(Watched *w)
{
    w->call = vm_mark(w->m.vm);
    vm_snapshot(w->m.vm, &w->before);
}

static void watched_init(Watched *w, const char *text)
{
    watched_start(w, text);
    assert_int_equal(vm_run(w->m.vm).kind, VM_AGAIN);
    vm_return(w->m.vm, w->start);
    assert_int_equal(run_again(w).kind, VM_CALL);
    stay_here(w);
}

static void watched_release(Watched *w)
{
    isolated_session_release(&w->session);
    map_release(&w->general);
    strbuf_release(&w->before);
    isolation_free(w->isolation);
    machine_release(&w->m);
}

/* The functions' variables follow the inputs, as whoever changes a model sees to. */
static void set_input(Watched *w, uint32_t i, uint64_t value)
{
    ExprModel *model = vm_model(w->m.vm);
    expr_model_set(model, w->inputs[i], value);
    for (uint32_t k = 0; k < w->session.inputs.len; k++)
        expr_model_set(model, w->session.inputs.data[k].variable, expr_eval(model, w->session.inputs.data[k].root));
}

static const char *unfit(const Watched *w)
{
    Unfit how;
    return isolation_unfit(w->isolation, &how);
}

static VmStop isolate(Watched *w)
{
    isolation_enter(w->isolation, &w->session);
    return vm_run(w->m.vm);
}

/* Everything is as it was at the call. */
static void go_back(Watched *w)
{
    StrBuf after = {0};
    vm_return(w->m.vm, w->call);
    vm_snapshot(w->m.vm, &after);
    assert_int_equal(after.len, w->before.len);
    assert_memory_equal(after.text, w->before.text, after.len);
    assert_int_equal(isolation_path(w->isolation).level, 0);
    assert_null(unfit(w));
    strbuf_release(&after);
}

/* ---- facts as text ---- */

static void add_form(const IsolatedFact *fact, StrBuf *out)
{
    static const char *const names[] = {"value", "input", "pointer", "cursor", "undefined", "bytes"};
    strbuf_addf(out, " %s", names[fact->form]);
    if (fact->form == FORM_VALUE) strbuf_addf(out, " %llu", (unsigned long long)fact->value);
    if (fact->form == FORM_POINTER || fact->form == FORM_CURSOR) strbuf_addf(out, " b%u", fact->made);
    assert_int_equal(fact->variable != 0, fact->form == FORM_INPUT || fact->form == FORM_POINTER || fact->form == FORM_CURSOR);
}

static void add_place(const IsolatedFact *fact, StrBuf *out)
{
    strbuf_addf(out, "b%u%+lld:%llu", fact->base, (long long)fact->offset, (unsigned long long)fact->bytes);
}

static void add_fact(const IsolatedFact *fact, StrBuf *out)
{
    switch (fact->kind) {
    case FACT_READ:
        strbuf_add(out, fact->base == ARGUMENT_BASE ? "argument" : "read ");
        if (fact->base != ARGUMENT_BASE) add_place(fact, out);
        else strbuf_addf(out, " %lld:%llu", (long long)fact->offset, (unsigned long long)fact->bytes);
        add_form(fact, out);
        break;
    case FACT_PLACE: strbuf_addf(out, "place b%u", fact->base); break;
    case FACT_SAME: strbuf_addf(out, "b%u is b%u%+lld", fact->base, fact->other, (long long)fact->offset); break;
    case FACT_ACCESS:
        strbuf_add(out, fact->write ? "may write " : "may read ");
        add_place(fact, out);
        if (fact->outcome >= ACCESS_BUG) strbuf_addf(out, " (%s)", bug_name(fact->outcome - ACCESS_BUG));
        break;
    case FACT_SIZE: strbuf_addf(out, "size b%u -%lld +%llu", fact->base, (long long)fact->offset, (unsigned long long)fact->bytes); break;
    case FACT_LIMIT: strbuf_addf(out, "limit b%u", fact->base); break;
    default: strbuf_add(out, "if"); break;
    }
}

static void assert_facts(const Watched *w, const char *expected)
{
    StrBuf text = {0};
    for (uint32_t i = 0; i < isolation_path(w->isolation).fact_count; i++) {
        if (i) strbuf_add(&text, "; ");
        add_fact(&isolation_path(w->isolation).facts[i], &text);
    }
    assert_string_equal(text.text, expected);
    strbuf_release(&text);
}

static Expr only_result(const Watched *w)
{
    assert_int_equal(isolation_path(w->isolation).result_count, 1);
    return isolation_path(w->isolation).results[0];
}

static U128 constant(const Watched *w, Expr e)
{
    assert_true(expr_is_const(w->m.pool, e));
    return expr_value(w->m.pool, e);
}

static const IsolatedWrite *only_write(const Watched *w)
{
    assert_int_equal(isolation_path(w->isolation).write_count, 1);
    return isolation_path(w->isolation).writes;
}

static int exit_value(Watched *w)
{
    VmStop stop = run_again(w);
    if (stop.kind != VM_EXIT) fail_msg("%s", stop.message);
    Expr ignored;
    return (int)vm_result(w->m.vm, &ignored);
}

/* ---- watching ---- */

#define SIGN "int f(int x) { if (x > 0) return 1; return 0; } "

static void only_functions_that_decide_stop_the_run(void **state)
{
    (void)state;
    Watched w;
    watched_start(&w, "int f(int x) { return x > 0; } int test(int a) { if (f(a)) return 1; return 2; }");
    assert_int_equal(vm_run(w.m.vm).kind, VM_EXIT);
    watched_release(&w);
    watched_init(&w, SIGN "int test(int a) { if (f(a)) return 1; return 2; }");
    assert_int_equal(vm_stop(w.m.vm)->kind, VM_CALL);
    assert_ptr_equal(vm_call_target(w.m.vm), function_of(w.m.program, "f"));
    assert_int_equal(vm_call_argument(w.m.vm, 0), w.inputs[0]);
    assert_false(vm_is_active(w.m.vm, vm_call_target(w.m.vm)));
    assert_int_equal(vm_path_length(w.m.vm), 0);
    watched_release(&w);
}

static void calls_that_are_not_watched_any_more(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, SIGN "int test(int a) { return f(a) + 2 * f(a - 5); }");
    isolation_watch(w.isolation, false);
    isolation_call_in_place(w.isolation, false);
    assert_int_equal(exit_value(&w), 0);
    vm_return(w.m.vm, w.start);
    isolation_watch(w.isolation, true);
    assert_int_equal(vm_run(w.m.vm).kind, VM_CALL);
    vm_decline(w.m.vm, function_of(w.m.program, "f"));
    isolation_call_in_place(w.isolation, false);
    assert_int_equal(exit_value(&w), 0);
    watched_release(&w);
}

static void callers_are_watched_with_what_they_call(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, SIGN "int g(int x) { return f(x); } int test(int a) { if (g(a)) return 1; return 2; }");
    assert_string_equal(vm_call_target(w.m.vm)->name, "g");
    isolation_call_in_place(w.isolation, false);
    assert_int_equal(vm_run(w.m.vm).kind, VM_CALL);
    assert_string_equal(vm_call_target(w.m.vm)->name, "f");
    assert_false(vm_watch_active(w.m.vm));
    isolation_call_in_place(w.isolation, false);
    assert_int_equal(exit_value(&w), 2);
    watched_release(&w);
}

static void recursive_calls_are_known(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "int f(int x) { if (x > 0) return f(x - 1); return x; } int test(int a) { if (f(a)) return 1; return 2; }");
    set_input(&w, 0, 2);
    assert_false(vm_is_active(w.m.vm, vm_call_target(w.m.vm)));
    isolation_call_in_place(w.isolation, false);
    assert_int_equal(vm_run(w.m.vm).kind, VM_CALL);
    assert_true(vm_is_active(w.m.vm, vm_call_target(w.m.vm)));
    watched_release(&w);
}

/* ---- what a path depends on and does ---- */

static void arguments_are_inputs(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, SIGN "int test(int a) { if (f(a * 3)) return 1; return 2; }");
    Expr actual = vm_call_argument(w.m.vm, 0);
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_int_equal(isolation_path(w.isolation).level, 1);
    assert_facts(&w, "argument 0:32 input; if");
    Expr x = isolation_path(w.isolation).facts[0].variable, positive = expr_binary(w.m.pool, EXPR_SLT, expr_const(w.m.pool, 32, 0), x);
    assert_int_equal(expr_kind(w.m.pool, x), EXPR_VAR);
    assert_string_equal(expr_var_name(w.m.pool, x), "x");
    assert_int_equal(vm_condition(w.m.vm, isolation_path(w.isolation).facts[1].condition)->condition, expr_not(w.m.pool, positive));
    assert_int_equal(isolation_root(w.isolation, x), actual);
    assert_int_equal(constant(&w, only_result(&w)), 0);
    assert_true(w.session.inputs.len == 1 && w.session.inputs.data[0].root == actual);
    go_back(&w);
    set_input(&w, 0, 1);
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:32 input; if");
    assert_int_equal(isolation_path(w.isolation).facts[0].variable, x);
    assert_int_equal(vm_condition(w.m.vm, isolation_path(w.isolation).facts[1].condition)->condition, positive);
    assert_int_equal(constant(&w, only_result(&w)), 1);
    assert_int_equal(w.session.inputs.len, 1);
    go_back(&w);
    watched_release(&w);
}

static void writes_through_a_pointer(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "void f(int *p, int x) { if (x > 0) p[1] = x; else p[0] = *p ^ x; }"
                     "int test(int a, int b) { int k[2] = {b, 6}; f(k, a); if (k[0] == 3) return 1; return 2; }");
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:64 pointer b0; argument 1:32 input; if; b0 is b0+0; may read b0+0:4; read b0+0:4 input; may write b0+0:4");
    Expr x = isolation_path(w.isolation).facts[1].variable, read = isolation_path(w.isolation).facts[5].variable;
    assert_int_equal(isolation_root(w.isolation, read), w.inputs[1]);
    const IsolatedWrite *write = only_write(&w);
    assert_true(write->base == 0 && write->offset == 0 && write->bytes == 4);
    assert_int_equal(write->value, expr_binary(w.m.pool, EXPR_XOR, read, x));
    assert_int_equal(isolation_path(w.isolation).result_count, 0);
    go_back(&w);
    set_input(&w, 0, 9);
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:64 pointer b0; argument 1:32 input; if; b0 is b0+0; may write b0+4:4");
    assert_true(only_write(&w)->offset == 4 && only_write(&w)->value == x);
    go_back(&w);
    watched_release(&w);
}

/* What is constant in the calling state stays so, unless the place is one of the general ones. */
static void constants_in_memory(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "int f(int *p, int x) { if (x) return 0; return *p; }"
                     "int test(int a) { int k = 5, u; if (f(&k, a)) return 1; return f(&u, a); }");
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:64 pointer b0; argument 1:32 input; if; b0 is b0+0; may read b0+0:4; read b0+0:4 value 5");
    assert_int_equal(constant(&w, only_result(&w)), 5);
    uint64_t key = isolation_place_key(isolation_path(w.isolation).bases[0].key, 0, 4);
    go_back(&w);
    map_put(&w.general, key, 1);
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:64 pointer b0; argument 1:32 input; if; b0 is b0+0; may read b0+0:4; read b0+0:4 input");
    assert_int_equal(only_result(&w), isolation_path(w.isolation).facts[5].variable);
    assert_int_equal(constant(&w, isolation_root(w.isolation, only_result(&w))), 5);
    assert_int_equal(w.session.inputs.data[w.session.inputs.len - 1].key, key);
    go_back(&w);
    watched_release(&w);
}

static void memory_that_was_never_written(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "struct s { char a, b; }; void f(struct s *p, struct s *q, int x) { if (!x) *p = *q; }"
                     "int test(int a, char b) { struct s s, r = {7, 7}; s.a = b; f(&r, &s, a); if (r.a) return 1; return 2; }");
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:64 pointer b0; argument 1:64 pointer b1; argument 2:32 input; if; b0 is b0+0; b1 is b1+0; "
                     "may read b1+0:2; may write b0+0:2; read b1+0:2 bytes; read b1+0:1 input; read b1+1:1 undefined");
    assert_true(only_write(&w)->bytes == 2 && expr_has_undef(w.m.pool, only_write(&w)->value));
    Expr low = expr_extract(w.m.pool, only_write(&w)->value, 0, 8);
    assert_int_equal(isolation_root(w.isolation, low), w.inputs[1]);
    go_back(&w);
    watched_release(&w);
}

static void what_was_seen_is_no_news(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "int f(int *p, int x) { if (x) return 0; return *p ^ (3 * *p); }"
                     "int test(int a) { int u; if (f(&u, a)) return 1; return 2; }");
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:64 pointer b0; argument 1:32 input; if; b0 is b0+0; may read b0+0:4; read b0+0:4 undefined");
    go_back(&w);
    watched_release(&w);
    watched_init(&w, "int f(int x) { if (x) return 0; return \"abc\"[1]; } int test(int a) { if (f(a)) return 1; return 2; }");
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:32 input; if; place b0; b0 is b0+0; may read b0+1:1");
    VmObject object;
    assert_true(vm_object(w.m.vm, (uint64_t)isolation_path(w.isolation).facts[2].value, &object) && object.is_readonly);
    assert_int_equal(constant(&w, only_result(&w)), 'b');
    go_back(&w);
    watched_release(&w);
}

static void globals_are_places(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "int g[3]; int f(int x) { if (x > g[2]) return 1; return g[2]; }"
                     "int test(int a, int b) { g[2] = b; if (f(a)) return 1; return 2; }");
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:32 input; place b0; b0 is b0+0; may read b0+8:4; read b0+8:4 input; if");
    uint64_t address = vm_global_address(w.m.vm, "g");
    assert_true(address != 0 && isolation_path(w.isolation).facts[1].value == address);
    assert_string_equal(vm_name_of_global(w.m.vm, address), "g");
    assert_int_equal(vm_global_address(w.m.vm, "h"), 0);
    assert_true(vm_is_address(address) && !vm_is_address(5));
    assert_int_equal(isolation_root(w.isolation, only_result(&w)), w.inputs[1]);
    assert_int_equal(isolation_path(w.isolation).write_count, 0);
    go_back(&w);
    watched_release(&w);
}

static void pointers_into_one_object(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "int f(int *p, int *q) { *p = 1; if (*q == 4) return 1; return *q; }"
                     "int test(int a) { int k[4] = {a, a, a, a}; if (f(k + 1, k + 3)) return 1; return f(k + 3, k + 1) + f(k, k); }");
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:64 pointer b0; argument 1:64 pointer b1; b0 is b0+0; may write b0+0:4; b1 is b0+8; may read b0+8:4; "
                     "read b0+8:4 input; if");
    assert_true(only_write(&w)->base == 0 && only_write(&w)->offset == 0 && constant(&w, only_write(&w)->value) == 1);
    go_back(&w);
    isolation_call_in_place(w.isolation, false);
    assert_int_equal(vm_run(w.m.vm).kind, VM_CALL);
    IsolatedSession other = {.general = &w.general};
    isolation_enter(w.isolation, &other);
    assert_int_equal(vm_run(w.m.vm).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:64 pointer b0; argument 1:64 pointer b1; b0 is b0+0; may write b0+0:4; b1 is b0-8; may read b0-8:4; "
                     "read b0-8:4 value 1");
    vm_return(w.m.vm, w.call);
    isolated_session_release(&other);
    watched_release(&w);
}

static void pointers_to_one_place_and_to_two(void **state)
{
    (void)state;
    const char *f = "int f(int *p, int *q, int x) { *p = x; if (x) return 1; return *q; }";
    Watched w;
    char *text = mem_format("%s int test(int a) { int k = a; if (f(&k, &k, a)) return 1; return 2; }", f);
    watched_init(&w, text);
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w,
                 "argument 0:64 pointer b0; argument 1:64 pointer b1; argument 2:32 input; b0 is b0+0; may write b0+0:4; if; b1 is b0+0");
    assert_int_equal(only_result(&w), isolation_path(w.isolation).facts[2].variable);
    go_back(&w);
    watched_release(&w);
    free(text);
    text = mem_format("%s int test(int a, int b) { int k = a, l = b; if (f(&k, &l, a)) return 1; return 2; }", f);
    watched_init(&w, text);
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w,
                 "argument 0:64 pointer b0; argument 1:64 pointer b1; argument 2:32 input; b0 is b0+0; may write b0+0:4; if; b1 is b1+0; "
                 "may read b1+0:4; read b1+0:4 input");
    assert_int_equal(isolation_root(w.isolation, only_result(&w)), w.inputs[1]);
    go_back(&w);
    watched_release(&w);
    free(text);
}

static void pointers_in_memory_are_bases(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "struct s { struct s *next; int n; }; int f(struct s *s, int x) { if (x) return 0; return s->next->n; }"
                     "int test(int a, int b) { struct s k = {0, b}, l = {&k, 2}; if (f(&l, a)) return 1; return 2; }");
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:64 pointer b0; argument 1:32 input; if; b0 is b0+0; may read b0+0:8; read b0+0:8 pointer b1; b1 is b1+0; "
                     "may read b1+8:4; read b1+8:4 input");
    assert_int_equal(isolation_root(w.isolation, only_result(&w)), w.inputs[1]);
    go_back(&w);
    watched_release(&w);
}

/* Bytes of a value that was seen in part are asked for one by one; overlapping writes are given byte by byte. */
static void parts_of_values(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "unsigned f(unsigned char *p, int x) { unsigned s; if (x) return 0; s = p[1]; p[2] = 9; s ^= *(unsigned *)p;"
                     " *(short *)(p + 1) = 0x105; return s; }"
                     "int test(int a, int b) { int k = b; if (f((unsigned char *)&k, a)) return 1; return 2; }");
    set_input(&w, 1, 0x44332211);
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_facts(&w, "argument 0:64 pointer b0; argument 1:32 input; if; b0 is b0+0; may read b0+1:1; read b0+1:1 input; may write b0+2:1; "
                     "may read b0+0:4; read b0+0:1 input; read b0+3:1 input; may write b0+1:2");
    assert_int_equal(expr_eval(vm_model(w.m.vm), only_result(&w)), 0x44092211 ^ 0x22);
    assert_int_equal(expr_eval(vm_model(w.m.vm), isolation_root(w.isolation, only_result(&w))), 0x44092211 ^ 0x22);
    const IsolatedWrite *writes = isolation_path(w.isolation).writes;
    assert_int_equal(isolation_path(w.isolation).write_count, 2);
    assert_true(writes[0].offset == 1 && writes[0].bytes == 1 && constant(&w, writes[0].value) == 5);
    assert_true(writes[1].offset == 2 && writes[1].bytes == 1 && constant(&w, writes[1].value) == 1);
    go_back(&w);
    watched_release(&w);
}

static void an_index_depends_on_the_size(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "int f(int *p, unsigned x) { if (x > 1) return 1; return p[x]; }"
                     "int test(unsigned a) { int k[3] = {4, 5, 6}; if (f(k + 1, a)) return 1; return 2; }");
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_int_equal(isolation_path(w.isolation).facts[4].kind, FACT_SIZE);
    assert_true(isolation_path(w.isolation).facts[4].base == 0 && isolation_path(w.isolation).facts[4].offset == 4 &&
                isolation_path(w.isolation).facts[4].bytes == 8);
    Expr result = isolation_root(w.isolation, only_result(&w));
    for (uint64_t a = 0; a < 2; a++) {
        set_input(&w, 0, a);
        assert_int_equal(expr_eval(vm_model(w.m.vm), result), 5 + a);
    }
    set_input(&w, 0, 0);
    go_back(&w);
    watched_release(&w);
}

static void a_bug_is_an_end(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "int f(char *p, int x) { if (x) return 1; return p[9]; }"
                     "int test(int a) { char k[4] = \"abc\"; if (f(k, a)) return 1; return 2; }");
    VmStop stop = isolate(&w);
    assert_true(stop.kind == VM_BUG && stop.bug == BUG_OUT_OF_BOUNDS);
    assert_null(unfit(&w));
    assert_int_equal(isolation_path(w.isolation).fact_count, 5);
    const IsolatedFact *access = &isolation_path(w.isolation).facts[4];
    assert_true(access->kind == FACT_ACCESS && access->base == 0 && access->offset == 9 &&
                access->outcome == ACCESS_BUG + BUG_OUT_OF_BOUNDS);
    go_back(&w);
    uint64_t k = isolation_follow(w.isolation, vm_call_argument(w.m.vm, 0));
    assert_int_equal(isolation_access(w.isolation, k, 9, 1, false), ACCESS_BUG + BUG_OUT_OF_BOUNDS);
    assert_int_equal(isolation_access(w.isolation, k, 0, 4, true), ACCESS_FINE);
    assert_int_equal(isolation_access(w.isolation, k, 0, 5, true), ACCESS_BUG + BUG_OUT_OF_BOUNDS);
    watched_release(&w);
}

/* In two calling states the facts are the same, and inputs have the same keys. */
static void places_have_the_same_keys_everywhere(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "int f(int *p, int x) { if (x) return 0; return p[1]; }"
                     "int test(int a, int b) { int k[2] = {1, b}, l[9] = {0}; l[4] = b + 1; if (f(k, a)) return 1; return f(l + 3, a); }");
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    const char *facts = "argument 0:64 pointer b0; argument 1:32 input; if; b0 is b0+0; may read b0+4:4; read b0+4:4 input";
    assert_facts(&w, facts);
    go_back(&w);
    isolation_call_in_place(w.isolation, false);
    assert_int_equal(vm_run(w.m.vm).kind, VM_CALL);
    IsolatedSession other = {.general = &w.general};
    isolation_enter(w.isolation, &other);
    assert_int_equal(vm_run(w.m.vm).kind, VM_RETURNED);
    assert_facts(&w, facts);
    assert_int_equal(other.inputs.len, w.session.inputs.len);
    for (uint32_t i = 0; i < other.inputs.len; i++) assert_int_equal(other.inputs.data[i].key, w.session.inputs.data[i].key);
    vm_return(w.m.vm, w.call);
    isolated_session_release(&other);
    watched_release(&w);
}

/* ---- what fits ---- */

#define HEAP "void *malloc(unsigned long); void free(void *); void *realloc(void *, unsigned long); "

static void memory_of_its_own(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, HEAP "int f(int x) { int *p = malloc(4), r = 0; *p = x; p = realloc(p, 40); if (*p > 3) r = 1; free(p); return r; }"
                          "int test(int a) { if (f(a)) return 1; return 2; }");
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_null(unfit(&w));
    assert_facts(&w, "argument 0:32 input; if");
    assert_int_equal(isolation_path(w.isolation).write_count, 0);
    assert_int_equal(constant(&w, only_result(&w)), 0);
    go_back(&w);
    watched_release(&w);
}

typedef enum InOtherStates { HERE, ALWAYS, UNSAID } InOtherStates;

static void assert_unfit(const char *text, const char *reason, InOtherStates elsewhere)
{
    Watched w;
    watched_init(&w, text);
    assert_int_equal(isolate(&w).kind, VM_UNSUPPORTED);
    assert_non_null(unfit(&w));
    if (!strstr(unfit(&w), reason)) fail_msg("%s", unfit(&w));
    Unfit how;
    isolation_unfit(w.isolation, &how);
    if (elsewhere != UNSAID) assert_int_equal(how != UNFIT_HERE, elsewhere == ALWAYS);
    go_back(&w);
    isolation_call_in_place(w.isolation, false);
    assert_int_equal(exit_value(&w), 2);
    watched_release(&w);
}

static void what_does_not_fit(void **state)
{
    (void)state;
    assert_unfit(HEAP "void *kept; int f(int x) { if (x) return 1; kept = malloc(8); return 0; }"
                      "int test(int a) { if (f(a)) return 1; free(kept); return 2; }",
                 "keeps memory", ALWAYS);
    assert_unfit(HEAP "int f(void *p, int x) { if (x) return 1; free(p); return 0; }"
                      "int test(int a) { if (f(malloc(8), a)) return 1; return 2; }",
                 "frees memory", ALWAYS);
    assert_unfit(HEAP "void *q; int f(void *p, int x) { if (x) return 1; q = realloc(p, 100); return 0; }"
                      "int test(int a) { if (f(malloc(8), a)) return 1; free(q); return 2; }",
                 "frees memory", ALWAYS);
    assert_unfit("int printf(const char *, ...); int f(int x) { if (x) return 1; printf(\"%d\", 5); return 0; }"
                 "int test(int a) { if (f(a)) return 1; return 2; }",
                 "printf", UNSAID);
    assert_unfit("int f(float y, int x) { if (x) return 1; return y * 2 > 3; }"
                 "int test(int a, int b) { if (f((float)b, a)) return 1; return 2; }",
                 "floating-point", HERE);
    assert_unfit("int f(int *p, int x) { if (x) return 1; return *p; }"
                 "int test(int a, unsigned i) { int k[4] = {0}; if (i > 3) return 0; if (f(k + i, a)) return 1; return 2; }",
                 "several objects", HERE);
}

/* The pointer k + i stays in k: as a cursor it is part of a summary. */
static void pointers_at_offsets_that_are_inputs(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "int f(int *p, int x) { if (x) return 1; return *p; }"
                     "int test(int a, unsigned i) { int k[4] = {1, 2, 3, 4}; if (f(k + i, a)) return 1; return 2; }");
    uint32_t before = vm_path_length(w.m.vm);
    assert_true(isolation_settle_arguments(w.isolation, &w.session, false));
    assert_int_equal(vm_path_length(w.m.vm), before + 1);
    assert_int_equal(vm_condition(w.m.vm, before)->kind, CONDITION_OBJECT);
    go_back(&w);
    w.holds = true;
    assert_true(isolation_settle_arguments(w.isolation, &w.session, false));
    assert_int_equal(vm_path_length(w.m.vm), before);
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    const IsolatedFact *fact = &isolation_path(w.isolation).facts[0];
    assert_true(fact->kind == FACT_READ && fact->form == FORM_CURSOR && fact->made == 0 && w.asked >= 2);
    assert_true(fact->object != 0 && expr_is_const(w.m.pool, isolation_root(w.isolation, fact->object)));
    Expr pointer = isolation_root(w.isolation, expr_add(w.m.pool, fact->object, fact->variable)),
         result = isolation_root(w.isolation, only_result(&w));
    for (uint64_t i = 0; i < 4; i++) {
        set_input(&w, 1, i);
        assert_int_equal(expr_eval(vm_model(w.m.vm), result), 1 + i);
        assert_int_equal(expr_eval(vm_model(w.m.vm), pointer), expr_value(w.m.pool, isolation_root(w.isolation, fact->object)) + 4 * i);
    }
    set_input(&w, 1, 0);
    go_back(&w);
    watched_release(&w);
}

/* ---- calls within ---- */

#define NESTED \
    "int g(int *p, int x) { if (x > 5) return *p; return 0; } int f(int *p, int x) { if (g(p + 1, x ^ 1)) return *p; return 3; }" \
    "int test(int a, int b) { int k[2] = {2, b}; if (f(k, a ^ 2) == 2) return 1; return 2; }"

static void isolated_calls_nest(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, NESTED);
    set_input(&w, 0, 8);
    assert_int_equal(isolate(&w).kind, VM_CALL);
    assert_string_equal(vm_call_target(w.m.vm)->name, "g");
    Expr x = isolation_path(w.isolation).facts[1].variable, one = expr_const(w.m.pool, 32, 1);
    Expr argument = vm_call_argument(w.m.vm, 1);
    assert_int_equal(argument, expr_binary(w.m.pool, EXPR_XOR, x, one));
    VmMark within = vm_mark(w.m.vm);
    IsolatedSession inner = {.general = &w.general};
    isolation_enter(w.isolation, &inner);
    assert_int_equal(vm_run(w.m.vm).kind, VM_RETURNED);
    assert_int_equal(isolation_path(w.isolation).level, 2);
    assert_facts(&w, "argument 0:64 pointer b0; argument 1:32 input; if; b0 is b0+0; may read b0+0:4; read b0+0:4 input");
    assert_int_equal(isolation_root(w.isolation, isolation_path(w.isolation).facts[1].variable),
                     expr_binary(w.m.pool, EXPR_XOR, w.inputs[0], expr_const(w.m.pool, 32, 3)));
    assert_int_equal(isolation_root(w.isolation, only_result(&w)), w.inputs[1]);
    assert_int_equal(inner.inputs.data[1].actual, argument);
    assert_int_equal(inner.inputs.len, 3); /* what it reads is an input of the caller, too */
    assert_true(expr_kind(w.m.pool, inner.inputs.data[2].actual) == EXPR_VAR && inner.inputs.data[2].actual != w.inputs[1]);
    vm_return(w.m.vm, within);
    assert_int_equal(isolation_path(w.isolation).level, 1);
    assert_facts(&w, "argument 0:64 pointer b0; argument 1:32 input");
    for (int times = 0; times < 2; times++) {
        vm_return(w.m.vm, within);
        isolation_complete(w.isolation, &(IsolatedOutcome){0, 0, true, &one, 1});
        assert_int_equal(vm_run(w.m.vm).kind, VM_RETURNED);
        assert_facts(&w, "argument 0:64 pointer b0; argument 1:32 input; b0 is b0+0; may read b0+0:4; read b0+0:4 value 2");
        if (!times) assert_int_equal(constant(&w, only_result(&w)), 2);
    }
    go_back(&w);
    isolated_session_release(&inner);
    watched_release(&w);
}

/* What a call inside may access is asked for without executing it; the caller depends on the answer, whichever it is. */
static void accesses_of_a_call_that_is_not_executed(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, NESTED);
    assert_int_equal(isolate(&w).kind, VM_CALL);
    uint64_t object = isolation_follow(w.isolation, vm_call_argument(w.m.vm, 0));
    uint32_t before = isolation_path(w.isolation).fact_count;
    assert_int_equal(isolation_access(w.isolation, object, 0, 1, false), ACCESS_FINE);
    assert_int_equal(isolation_access(w.isolation, object, 100, 1, false), ACCESS_BUG + BUG_OUT_OF_BOUNDS);
    IsolatedPath path = isolation_path(w.isolation);
    assert_true(path.fact_count > before + 1);
    const IsolatedFact *failed = &path.facts[path.fact_count - 1], *fine = failed - 1;
    assert_true(fine->kind == FACT_ACCESS && fine->outcome == ACCESS_FINE);
    assert_true(failed->kind == FACT_ACCESS && failed->offset == fine->offset + 100 && failed->outcome == ACCESS_BUG + BUG_OUT_OF_BOUNDS);
    go_back(&w);
    watched_release(&w);
}

/* ---- going on ---- */

static void the_caller_goes_on_with_what_it_is_given(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "int f(int *p, int x) { if (x) *p = x; return x; }"
                     "int test(int a) { int k = 0; int r = f(&k, a); return r * 100 + k; }");
    ExprPool *pool = w.m.pool;
    uint64_t k = isolation_follow(w.isolation, vm_call_argument(w.m.vm, 0));
    uint32_t undefined;
    assert_true(constant(&w, isolation_look(w.isolation, k, 4, &undefined)) == 0 && undefined == 0);
    Expr seven = expr_const(pool, 32, 7), changed = expr_binary(pool, EXPR_XOR, w.inputs[0], seven);
    Expr returns = expr_not(pool, expr_eq(pool, w.inputs[0], expr_const(pool, 32, 50)));
    isolation_complete(w.isolation, &(IsolatedOutcome){returns, 0, true, &seven, 1});
    isolation_put(w.isolation, k, 4, changed);
    assert_int_equal(vm_path_length(w.m.vm), 1);
    assert_true(vm_condition(w.m.vm, 0)->kind == CONDITION_SUMMARY && vm_condition(w.m.vm, 0)->condition == returns);
    assert_int_equal(exit_value(&w), 707);
    Expr result;
    vm_result(w.m.vm, &result);
    assert_int_equal(result, expr_add(pool, changed, expr_const(pool, 32, 700)));
    go_back(&w);
    isolation_complete(w.isolation, &(IsolatedOutcome){0, 0, true, &w.inputs[0], 1});
    isolation_put(w.isolation, k, 4, seven);
    assert_int_equal(vm_path_length(w.m.vm), 0);
    set_input(&w, 0, 2);
    assert_int_equal(exit_value(&w), 207);
    set_input(&w, 0, 0);
    go_back(&w);
    isolation_say(w.isolation, returns);
    assert_true(vm_stop(w.m.vm)->kind != VM_AGAIN && vm_path_length(w.m.vm) == 1);
    assert_int_equal(vm_condition(w.m.vm, 0)->kind, CONDITION_SUMMARY);
    go_back(&w);
    watched_release(&w);
}

static void a_call_in_place_is_executed(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, "int f(int *p, int x) { if (x) *p = x; return x ^ 1; }"
                     "int test(int a) { int k = 5; int r = f(&k, a) + f(&k, a ^ a); return r * 100 + k; }");
    for (uint64_t a = 0; a < 4; a++) {
        go_back(&w);
        set_input(&w, 0, a);
        isolation_call_in_place(w.isolation, false);
        assert_int_equal(vm_run(w.m.vm).kind, VM_CALL); /* the second one */
        assert_int_equal(vm_path_length(w.m.vm), 1);
        isolation_call_in_place(w.isolation, false);
        assert_int_equal(exit_value(&w), ((a ^ 1) + 1) * 100 + (a ? a : 5));
        assert_int_equal(isolation_path(w.isolation).level, 0);
    }
    watched_release(&w);
}

static void a_call_on_trial_stops_where_it_decides(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, SIGN "int g(int x) { if (f(x)) return 4; return 5; }"
                          "int test(int a) { int r = g(a); r = r * 10 + g(3); return r * 10 + g(a ^ 1); }");
    isolation_call_in_place(w.isolation, true);
    assert_int_equal(vm_run(w.m.vm).kind, VM_DECIDES);
    go_back(&w);
    isolation_call_in_place(w.isolation, true);
    assert_int_equal(vm_run(w.m.vm).kind, VM_DECIDES);
    go_back(&w);
    isolation_call_in_place(w.isolation, false); /* the trial is over */
    assert_int_equal(vm_run(w.m.vm).kind, VM_CALL);
    assert_string_equal(vm_call_target(w.m.vm)->name, "f");
    go_back(&w);
    isolation_complete(w.isolation, &(IsolatedOutcome){0, 0, true, &w.inputs[0], 1});
    assert_int_equal(vm_run(w.m.vm).kind, VM_CALL);
    assert_true(expr_is_const(w.m.pool, vm_call_argument(w.m.vm, 0)));
    isolation_call_in_place(w.isolation, true); /* nothing is decided, in the call within neither */
    assert_int_equal(vm_run(w.m.vm).kind, VM_CALL);
    assert_false(expr_is_const(w.m.pool, vm_call_argument(w.m.vm, 0)));
    VmMark third = vm_mark(w.m.vm);
    isolation_call_in_place(w.isolation, true);
    assert_int_equal(vm_run(w.m.vm).kind, VM_DECIDES);
    vm_return(w.m.vm, third);
    Expr nine = expr_const(w.m.pool, 32, 9);
    isolation_complete(w.isolation, &(IsolatedOutcome){0, 0, true, &nine, 1});
    assert_int_equal(exit_value(&w), 49);
    watched_release(&w);
}

static void calls_of_a_path_have_positions(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, SIGN "int test(int a) { int s = 0; for (int i = 0; i < 2; i++) s += f(a); return s; }");
    uint64_t first = isolation_position(w.isolation);
    Expr one = expr_const(w.m.pool, 32, 1);
    isolation_complete(w.isolation, &(IsolatedOutcome){0, 0, true, &one, 1});
    assert_int_equal(vm_run(w.m.vm).kind, VM_CALL);
    uint64_t second = isolation_position(w.isolation);
    assert_true(second != first);
    go_back(&w);
    assert_int_equal(isolation_position(w.isolation), first);
    isolation_complete(w.isolation, &(IsolatedOutcome){0, 0, true, &one, 1});
    assert_int_equal(vm_run(w.m.vm).kind, VM_CALL);
    assert_int_equal(isolation_position(w.isolation), second);
    isolation_complete(w.isolation, &(IsolatedOutcome){0, 0, true, &one, 1});
    assert_int_equal(exit_value(&w), 2);
    watched_release(&w);
}

static void assert_matters(const char *test, bool matters)
{
    Watched w;
    char *text = mem_format(SIGN "int g(int x) { return x + 1; } int h(int x) { return f(x); } %s", test);
    watched_init(&w, text);
    while (strcmp(vm_call_target(w.m.vm)->name, "f") != 0) {
        isolation_call_in_place(w.isolation, false);
        assert_int_equal(vm_run(w.m.vm).kind, VM_CALL);
    }
    if (isolation_call_matters(w.isolation) != matters) fail_msg("%s", test);
    watched_release(&w);
    free(text);
}

static void does_a_call_matter(void **state)
{
    (void)state;
    assert_matters("int test(int a) { return f(a); }", false);
    assert_matters("int test(int a) { if (a) return f(a); return f(a) + 3; }", false);
    assert_matters("int test(int a) { int k[2] = {1, 2}; k[1] = f(a); return k[0] + k[1]; }", false);
    assert_matters("int test(int a) { return h(a); }", false);
    assert_matters("int test(int a) { if (f(a)) return 1; return 2; }", true);
    assert_matters("int test(int a) { int s = 0; for (int i = 0; i < 2; i++) s += f(a); return s; }", true);
    assert_matters("int test(int a) { return g(f(a)); }", true);
    assert_matters("int test(int a) { if (h(a)) return 1; return 2; }", true);
    assert_matters("int test(int a) { switch (f(a)) { case 0: return 7; default: return 8; } }", true);
}

/* ---- branches ---- */

static void branches_seen_in_isolation(void **state)
{
    (void)state;
    Watched w;
    watched_init(&w, SIGN "int test(int a) { if (f(a)) return 1; return 2; }");
    uint32_t before = isolation_new_branches(w.isolation), seen = vm_branches_seen_count(w.m.vm);
    set_input(&w, 0, 1);
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_int_equal(isolation_new_branches(w.isolation), before + 1);
    go_back(&w);
    assert_int_equal(isolate(&w).kind, VM_RETURNED);
    assert_int_equal(isolation_new_branches(w.isolation), before + 1);
    go_back(&w);
    isolation_forget_branches(w.isolation, before);
    assert_int_equal(isolation_new_branches(w.isolation), before);
    assert_int_equal(vm_branches_seen_count(w.m.vm), seen);
    watched_release(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_functions_that_decide_stop_the_run),
        cmocka_unit_test(calls_that_are_not_watched_any_more),
        cmocka_unit_test(callers_are_watched_with_what_they_call),
        cmocka_unit_test(recursive_calls_are_known),
        cmocka_unit_test(arguments_are_inputs),
        cmocka_unit_test(writes_through_a_pointer),
        cmocka_unit_test(constants_in_memory),
        cmocka_unit_test(memory_that_was_never_written),
        cmocka_unit_test(what_was_seen_is_no_news),
        cmocka_unit_test(globals_are_places),
        cmocka_unit_test(pointers_into_one_object),
        cmocka_unit_test(pointers_to_one_place_and_to_two),
        cmocka_unit_test(pointers_in_memory_are_bases),
        cmocka_unit_test(parts_of_values),
        cmocka_unit_test(an_index_depends_on_the_size),
        cmocka_unit_test(a_bug_is_an_end),
        cmocka_unit_test(places_have_the_same_keys_everywhere),
        cmocka_unit_test(memory_of_its_own),
        cmocka_unit_test(what_does_not_fit),
        cmocka_unit_test(pointers_at_offsets_that_are_inputs),
        cmocka_unit_test(isolated_calls_nest),
        cmocka_unit_test(accesses_of_a_call_that_is_not_executed),
        cmocka_unit_test(the_caller_goes_on_with_what_it_is_given),
        cmocka_unit_test(a_call_in_place_is_executed),
        cmocka_unit_test(a_call_on_trial_stops_where_it_decides),
        cmocka_unit_test(calls_of_a_path_have_positions),
        cmocka_unit_test(does_a_call_matter),
        cmocka_unit_test(branches_seen_in_isolation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
