/* What front_declare says of sources: types, functions, variables, and how pointers are used. */
#include "load.h"

#include <sys/stat.h>

static Status try_declare(const char *ending, const char *text, Decls **decls, Error *error)
{
    char *path = write_file(ending, text);
    const char *flags[] = {"-O2", "-std=gnu17", "-l", "m"};
    FrontOptions options = {.files = (const char **)&path, .file_count = 1, .flags = flags, .flag_count = COUNT_OF(flags)};
    Status status = front_declare(&options, decls, error);
    unlink(path);
    free(path);
    return status;
}

static Decls *declare(const char *text)
{
    Decls *decls = NULL;
    Error error = {0};
    if (try_declare(".c", text, &decls, &error) != OK) fail_msg("%s", error.text);
    return decls;
}

static const CFunction *find(const Decls *decls, const char *name)
{
    const CFunction *function = decls_function(decls, name, UINT32_MAX);
    if (!function) fail_msg("no function %s", name);
    return function;
}

static const CUse *use_of(const Decls *decls, const char *function, uint32_t param)
{
    const CFunction *found = find(decls, function);
    assert_true(param < found->param_count);
    return &found->params[param].use;
}

static const CGlobal *global_of(const Decls *decls, const char *name)
{
    for (uint32_t i = 0; i < decls->global_count; i++)
        if (strcmp(decls->globals[i].name, name) == 0) return &decls->globals[i];
    fail_msg("no variable %s", name);
    return NULL;
}

static const CGlobalUse *global_use(const Decls *decls, const char *function, const char *name)
{
    const CFunction *found = find(decls, function);
    for (uint32_t i = 0; i < found->global_count; i++)
        if (strcmp(decls->globals[found->globals[i].global].name, name) == 0) return &found->globals[i];
    return NULL;
}

static const CField *field_of(const CType *type, const char *name)
{
    for (uint32_t i = 0; i < type->field_count; i++)
        if (strcmp(type->fields[i].name, name) == 0) return &type->fields[i];
    fail_msg("%s has no field %s", type->spelling, name);
    return NULL;
}

static bool calls(const Decls *decls, const char *caller, const char *callee)
{
    const CFunction *function = find(decls, caller);
    for (uint32_t i = 0; i < function->call_count; i++)
        if (strcmp(decls->functions[function->calls[i]].name, callee) == 0) return true;
    return false;
}

/* ---- types ---- */

static void scalars(void **state)
{
    (void)state;
    Decls *d = declare("typedef unsigned short u16; enum e { A = -2, B = 40 }; _Bool b; u16 u; const char c = 1; unsigned char uc;"
                       "__int128 w; float f; long double ld; enum e en; _Complex double z; volatile const int vc;");
    const CType *u = global_of(d, "u")->type, *c = global_of(d, "c")->type, *en = global_of(d, "en")->type;
    assert_int_equal(global_of(d, "b")->type->kind, C_BOOL);
    assert_int_equal(u->kind, C_INT);
    assert_string_equal(u->spelling, "u16");
    assert_false(u->is_signed);
    assert_int_equal(u->size, 2);
    assert_int_equal(c->kind, C_CHAR);
    assert_true(c->is_const && c->is_signed);
    assert_string_equal(c->spelling, "const char");
    assert_string_equal(c->plain, "char");
    assert_false(global_of(d, "uc")->type->is_signed);
    assert_int_equal(global_of(d, "w")->type->kind, C_INT);
    assert_int_equal(global_of(d, "w")->type->size, 16);
    assert_int_equal(global_of(d, "f")->type->kind, C_FLOAT);
    assert_int_equal(global_of(d, "ld")->type->size, 16);
    assert_int_equal(en->kind, C_ENUM);
    assert_true(en->is_signed);
    assert_int_equal(en->enumerator_count, 2);
    assert_string_equal(en->enumerators[0].name, "A");
    assert_int_equal(en->enumerators[0].value, -2);
    assert_int_equal(global_of(d, "z")->type->kind, C_OTHER);
    assert_true(global_of(d, "vc")->type->is_volatile && global_of(d, "vc")->type->is_const);
    assert_string_equal(global_of(d, "vc")->type->plain, "int");
    decls_free(d);
}

static void records(void **state)
{
    (void)state;
    Decls *d = declare(
        "typedef struct { int x, y; } point; struct tree { struct tree *left; point at; struct { int a; union { char c; long q; }; };"
        "unsigned lo : 5, : 3, hi : 9; struct { int deep; } box; int rest[]; }; struct tree *t; union { int i; } g;");
    const CType *tree = global_of(d, "t")->type->of, *point = field_of(tree, "at")->type, *left = field_of(tree, "left")->type;
    assert_int_equal(tree->kind, C_STRUCT);
    assert_string_equal(tree->spelling, "struct tree");
    assert_ptr_equal(left->of->fields, tree->fields);
    assert_string_equal(left->spelling, "struct tree *");
    assert_string_equal(point->spelling, "point");
    assert_false(point->unnamed);
    assert_int_equal(field_of(point, "y")->offset, 32);
    assert_int_equal(field_of(tree, "lo")->bits, 5);
    assert_int_equal(field_of(tree, "hi")->offset - field_of(tree, "lo")->offset, 8);
    assert_int_equal(tree->field_count, 7); /* the padding is none */
    const CType *anonymous = tree->fields[2].type;
    assert_string_equal(tree->fields[2].name, "");
    assert_true(anonymous->unnamed);
    assert_int_equal(anonymous->fields[1].type->kind, C_UNION);
    assert_int_equal(field_of(anonymous->fields[1].type, "q")->type->size, 8);
    const CType *rest = field_of(tree, "rest")->type;
    assert_true(rest->kind == C_ARRAY && rest->count == 0 && rest->of->kind == C_INT);
    assert_true(field_of(tree, "box")->type->unnamed);
    assert_string_equal(field_of(tree, "box")->type->spelling, "__typeof__(((struct tree *)0)->box)");
    assert_string_equal(global_of(d, "g")->type->spelling, "__typeof__(g)");
    decls_free(d);
}

static void derived_types(void **state)
{
    (void)state;
    Decls *d = declare("struct secret; typedef struct secret secret_t; typedef int (*handler)(int, char *);"
                       "int f(secret_t *s, handler h, int a[4][3], char *names[], int g(void), const int *restrict r, ...) { return 0; }");
    const CFunction *f = find(d, "f");
    assert_true(f->variadic && f->type->variadic);
    assert_int_equal(f->param_count, 6);
    assert_int_equal(f->params[0].type->of->kind, C_INCOMPLETE);
    assert_string_equal(f->params[0].type->spelling, "secret_t *");
    const CType *handler = f->params[1].type;
    assert_string_equal(handler->spelling, "handler");
    assert_int_equal(handler->of->kind, C_FUNCTION);
    assert_int_equal(handler->of->param_count, 2);
    assert_string_equal(handler->of->params[1]->spelling, "char *");
    assert_string_equal(f->params[2].type->spelling, "int (*)[3]");
    assert_int_equal(f->params[2].type->of->count, 3);
    assert_int_equal(f->params[2].use.reach, 4);
    assert_string_equal(f->params[3].type->spelling, "char **");
    assert_string_equal(f->params[4].type->spelling, "int (*)(void)");
    assert_true(f->params[5].type->is_restrict && f->params[5].type->of->is_const);
    decls_free(d);
}

/* Every spelling can be written behind the source: sizes are checked by the compiler itself. */
static void add_checks(StrBuf *out, const CType *type, uint32_t depth)
{
    if (type->size) strbuf_addf(out, "_Static_assert(sizeof(%s) == %lu, \"\");\n", type->spelling, (unsigned long)type->size);
    if (type->of && depth) add_checks(out, type->of, depth - 1);
    for (uint32_t i = 0; depth && i < type->field_count; i++)
        if (type->fields[i].name[0]) add_checks(out, type->fields[i].type, depth - 1);
}

static void spellings_compile(void **state)
{
    (void)state;
    const char *text = "#include <stdio.h>\ntypedef struct { int h; } *handle; struct s { struct { int z; struct { char c; } in; } box[2], "
                       "*p; enum { R } k;"
                       "struct { union { struct { short u; } w; int i; }; }; void (*die)(int) __attribute__((noreturn)); };"
                       "void f(handle h, struct s *s, int (*m)[3], int (*(*t)[2])(char *), const char *const *n, FILE *file) {}";
    Decls *d = declare(text);
    const CFunction *f = find(d, "f");
    StrBuf code = {0};
    strbuf_addf(&code, "%s\n", text);
    for (uint32_t i = 0; i < f->param_count; i++) add_checks(&code, f->params[i].type, 4);
    decls_free(d);
    decls_free(declare(code.text));
    strbuf_release(&code);
}

/* ---- functions and variables ---- */

static void entries(void **state)
{
    (void)state;
    Decls *d = declare("#include <string.h>\nint missing(int); int unused(int); _Noreturn void die(void);\n"
                       "static inline int half(int x) { return x / 2; }\nint (*table[])(int) = {missing};\n"
                       "int work(char *s) { if (!s) die(); return half(__builtin_expect(strlen(s) > 2, 1)); }\n"
                       "int (*pick(void))(int) { return half; }\n");
    const CFunction *half = find(d, "half"), *missing = find(d, "missing"), *length = find(d, "strlen");
    assert_true(half->is_static && half->is_inline && half->defined && !half->in_header);
    assert_int_equal(half->line, 3);
    assert_true(!missing->defined && !missing->in_system_header);
    assert_true(!length->defined && length->in_system_header);
    assert_true(find(d, "die")->noreturn && !find(d, "work")->noreturn);
    assert_null(decls_function(d, "unused", UINT32_MAX));
    assert_true(calls(d, "work", "die") && calls(d, "work", "half") && calls(d, "work", "strlen"));
    assert_int_equal(find(d, "work")->call_count, 3);
    assert_true(calls(d, "pick", "half"));
    assert_string_equal(find(d, "work")->params[0].name, "s");
    decls_free(d);
}

static void variables(void **state)
{
    (void)state;
    Decls *d = declare(
        "#include <stdio.h>\nint g, list[9]; static int hidden; extern int outside; const int table[2] = {1, 2}; struct { int a; } s;\n"
        "int sum(const int *p); void sort(int *p);\n"
        "void set(void) { g = 1; } int get(void) { return g; } void add(void) { g += outside; } int *where(void) { return &g; }\n"
        "void put(int i) { list[i] = 1; } int at(int i) { return list[i] + table[i]; } void field(void) { s.a = 2; }\n"
        "int pass(void) { return sum(list); } void both(void) { sort(list); } unsigned long size(void) { return sizeof list; }\n"
        "int count(void) { static int n = 3; return ++n; } void say(void) { fputs(\"\", stdout); }\n");
    assert_true(global_of(d, "hidden")->is_static && global_of(d, "hidden")->defined && !global_of(d, "hidden")->is_local);
    assert_true(!global_of(d, "outside")->defined && global_of(d, "n")->is_local && global_of(d, "stdout")->in_system_header);
    assert_true(global_use(d, "set", "g")->written && !global_use(d, "set", "g")->read);
    assert_true(!global_use(d, "get", "g")->written && global_use(d, "get", "g")->read);
    assert_true(global_use(d, "add", "g")->written && global_use(d, "add", "g")->read && global_use(d, "add", "outside")->read);
    assert_true(global_use(d, "where", "g")->written);
    assert_true(global_use(d, "put", "list")->written && !global_use(d, "put", "list")->read);
    assert_true(!global_use(d, "at", "list")->written && global_use(d, "at", "table")->read);
    assert_true(global_use(d, "field", "s")->written && !global_use(d, "field", "s")->read);
    assert_true(global_use(d, "pass", "list")->read && !global_use(d, "pass", "list")->written);
    assert_true(global_use(d, "both", "list")->read && global_use(d, "both", "list")->written);
    assert_null(global_use(d, "size", "list"));
    assert_true(global_use(d, "count", "n")->read && global_use(d, "count", "n")->written);
    decls_free(d);
}

/* ---- uses ---- */

static void strings(void **state)
{
    (void)state;
    Decls *d = declare(
        "#include <string.h>\n#include <stdio.h>\n#include <ctype.h>\n#include <stdlib.h>\n"
        "int a(const char *s) { const char *p = s; while (*p) p++; return p - s; } int b(const char *s) { int i; for (i = 0; s[i]; i++) ; "
        "return i; }"
        "void c(char *d, const char *s) { while ((*d++ = *s++)) ; } int e(const char *s) { return atoi(s + 1); }"
        "int f(const char *s) { for (;;) switch (*s++) { case 'a': break; default: return 0; } } int g(const char *s) { return e(s); }"
        "int h(const unsigned char *s) { int c, n = 0; while ((c = *s++) != 0) n += c; return n; } void i(int n, const char *s) { "
        "printf(\"%*d%s\", n, n, s); }"
        "int j(const char *s) { while (isdigit((unsigned char)*s)) s++; return *s == '\\0'; } int k(const char *s) { return *s ? 1 + k(s + "
        "1) : 0; }"
        "int l(const char b[9]) { int e = 0; for (int i = 0; i < 9; i++) if (b[i] == 0) e++; return e; }"
        "int m(char *out, unsigned v) { int n = 0; do out[n++] = '0' + v % 10; while (v /= 10); return n; }"
        "int n(char *s) { char *q = strchr(s, ':'); if (q) *q = 0; return q != 0; } int o(const char *s, size_t max) { size_t i = 0; while "
        "(i < max && s[i]) i++; return i; }");
    const char *yes = "abefghijkno";
    for (const char *name = yes; *name; name++) {
        char text[2] = {*name, 0};
        const CFunction *function = find(d, text);
        uint32_t param = *name == 'i' ? 1 : 0;
        if (!function->params[param].use.string) fail_msg("%s takes a string", text);
    }
    assert_true(use_of(d, "c", 1)->string && !use_of(d, "c", 0)->string && use_of(d, "c", 0)->written && !use_of(d, "c", 1)->written);
    assert_true(!use_of(d, "l", 0)->string && use_of(d, "l", 0)->reach == 9);
    assert_true(!use_of(d, "m", 0)->string && use_of(d, "m", 0)->length == -1);
    assert_true(use_of(d, "n", 0)->written && !use_of(d, "n", 0)->null_tested);
    assert_int_equal(use_of(d, "o", 0)->length, 1);
    assert_int_equal(use_of(d, "a", 0)->compared, false);
    decls_free(d);
}

typedef struct Expected {
    const char *function;
    uint32_t param;
    int32_t length;
} Expected;

static void lengths(void **state)
{
    (void)state;
    Decls *d = declare(
        "#include <string.h>\n#include <stdlib.h>\n#include <stdint.h>\nstruct cursor { int at; }; struct node { int v; };\n"
        "int index_(const int *a, size_t k) { int t = 0; for (size_t i = 0; i < k; i++) t += a[i]; return t; }"
        "int down(size_t k, const int *a) { int t = 0; while (k--) t += *a++; return t; }"
        "int end(const int *a, int k) { const int *e = a + k; int t = 0; for (const int *p = a; p < e; p++) t += *p; return t; }"
        "int shared(const int *a, const int *b, int k) { int t = 0; for (int i = 0; i != k; i++) t += a[i] * b[i]; return t; }"
        "int search(const int *a, int n, int key) { int lo = 0, hi = n - 1; while (lo <= hi) { int m = (lo + hi) / 2; if (a[m] == key) "
        "return m;"
        "    if (a[m] < key) lo = m + 1; else hi = m - 1; } return -1; }"
        "int at(const int *a, int i) { return a[i]; } int checked(const int *a, int k, int i) { return i < 0 || i >= k ? -1 : a[i]; }"
        "int last(const int *a, int k) { return k ? a[k - 1] : 0; } void fill(void *p, int c, size_t k) { memset(p, c, k); }"
        "void copy(int *d, const int *s, int k) { memcpy(d, s, k * sizeof *s); } int pass(const int *v, unsigned k) { return index_(v, k); "
        "}"
        "int matrix(const int *m, int rows, int cols) { int t = 0; for (int i = 0; i < rows; i++) for (int j = 0; j < cols; j++) t += m[i "
        "* cols + j]; return t; }"
        "void hex(char *out, const uint8_t *in, size_t n) { for (size_t i = 0; i < n; i++) out[2 * i] = in[i] >> 4, out[2 * i + 1] = in[i] "
        "& 15; }"
        "int ring(int *buffer, int k, int i) { return buffer[i % k]; } int vla(int k, int a[k]) { return a[0]; }"
        "int named(const char *data, int flags, int data_len); int outer(const char *data, int flags, int data_len) { return named(data, "
        "flags, data_len); }"
        "int field(const char *s, struct cursor *c, size_t k) { int t = 0; for (; c->at < k; c->at++) t += s[c->at]; return t; }"
        "void bump(struct node *p, int count) { p->v += count; } int key(const uint8_t *k) { int t = 0; for (int i = 0; i < 16; i++) t ^= "
        "k[i]; return t; }"
        "int offset(const uint8_t *p, size_t k, size_t from) { return pass((const int *)p + from, k - from); }");
    static const Expected expected[] = {{"index_", 0, 1}, {"down", 1, 0}, {"end", 0, 1},     {"shared", 0, 2},  {"shared", 1, 2},
                                        {"search", 0, 1}, {"at", 0, -1},  {"checked", 0, 1}, {"last", 0, 1},    {"fill", 0, 2},
                                        {"copy", 0, 2},   {"copy", 1, 2}, {"pass", 0, 1},    {"matrix", 0, -1}, {"hex", 0, -1},
                                        {"hex", 1, 2},    {"ring", 0, 1}, {"vla", 1, 0},     {"outer", 0, 2},   {"field", 0, 2},
                                        {"bump", 0, -1},  {"key", 0, -1}, {"offset", 0, 1}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const CUse *use = use_of(d, expected[i].function, expected[i].param);
        if (use->length != expected[i].length)
            fail_msg("%s, parameter %u: length is %d, not %d", expected[i].function, expected[i].param, expected[i].length, use->length);
    }
    assert_int_equal(use_of(d, "key", 0)->reach, 16);
    assert_false(use_of(d, "end", 0)->compared);
    decls_free(d);
}

/* Numbers near a pointer that are not its length, as the code or a name shows. */
static void no_lengths(void **state)
{
    (void)state;
    Decls *d = declare(
        "#include <string.h>\n#include <stdlib.h>\n#include <stddef.h>\n"
        "void head(char *buf, int nonce_len, const char *nonce) { buf[0] = 1; memcpy(&buf[1], nonce, nonce_len); }\n"
        "void tail(char *out, const char *in, size_t n, const char *mac, size_t m)"
        " { memcpy(out, in, n); memcpy(out + n, mac, m); }\n"
        "void copy(char *to, const char *from, size_t k) { memcpy(to, from, k); }\n"
        "void passes(char *to, const char *from, size_t k) { *to = 1; copy(to + 1, from, k); }\n"
        "void store(char *block, int assoc_size) { block[0] = assoc_size; block[1] = assoc_size >> 8; block[2] = 0; }\n"
        "void blocks(const char *in, char *out, size_t len)"
        " { size_t n = len / 3, all = n * 4, k; for (size_t i = 0; i < len; i++) k += in[i]; for (k = n * 4; k < all; k++) out[k] = 0; }\n"
        "void append(char *to, const char *from, size_t k) { while (*to) to++; while (k--) *to++ = *from++; *to = 0; }\n"
        "void message(const char *msg, size_t message_len) { memset((char *)msg, 0, message_len); }\n"
        "static void (*release)(void *) = free;\n"
        "void give_back(char *text) { release(text); }\n");
    static const Expected expected[] = {{"head", 0, -1},   {"head", 2, 1},   {"tail", 0, -1},  {"tail", 1, 2},   {"tail", 3, 4},
                                        {"passes", 0, -1}, {"passes", 1, 2}, {"store", 0, -1}, {"blocks", 0, 2}, {"blocks", 1, -1},
                                        {"append", 0, -1}, {"append", 1, 2}, {"message", 0, 1}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const CUse *use = use_of(d, expected[i].function, expected[i].param);
        if (use->length != expected[i].length)
            fail_msg("%s, parameter %u: length is %d, not %d", expected[i].function, expected[i].param, expected[i].length, use->length);
    }
    assert_true(use_of(d, "append", 0)->string);
    assert_true(use_of(d, "give_back", 0)->freed);
    decls_free(d);
}

static void pointers(void **state)
{
    (void)state;
    Decls *d = declare(
        "#include <stdlib.h>\n#include <string.h>\nstruct node { int v; struct node *next; }; int *shared;\n"
        "int opt(int *p) { if (!p) return 0; return *p; } void out(int *p) { *p = 1; } int list(struct node *h) { int t = 0; "
        "for (struct node *n = h; n; n = n->next) t += n->v; return t; } int range(const int *b, const int *e) { int t = 0; "
        "while (b != e) t += *b++; return t; } int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }"
        "void drop(void *p) { free(p); } void rid(struct node *n) { drop(n); } int be(const unsigned char *p) { return p[0] << 8 | p[3]; }"
        "int two(void *p, int k) { return k ? *(int *)p : *(short *)p; } int global(int n) { int t = 0; for (int i = 0; i < n; i++) t += "
        "shared[i]; return t; }"
        "int copy(struct node *a) { struct node b; __builtin_memcpy(&b, a, sizeof b); return b.v; } void idle(int *p) { (void)p; }");
    const CUse *opt = use_of(d, "opt", 0), *out = use_of(d, "out", 0), *list = use_of(d, "list", 0);
    assert_true(opt->null_tested && opt->dereferenced && opt->read && !opt->written && !opt->indexed && !opt->compared);
    assert_true(out->written && !out->read && !out->null_tested);
    assert_true(list->null_tested && list->read && !list->indexed && !list->written);
    assert_true(use_of(d, "range", 0)->compared && use_of(d, "range", 1)->compared && use_of(d, "range", 0)->indexed);
    assert_non_null(use_of(d, "cmp", 0)->cast);
    assert_string_equal(use_of(d, "cmp", 0)->cast->plain, "int");
    assert_true(use_of(d, "drop", 0)->freed && use_of(d, "rid", 0)->freed);
    assert_int_equal(use_of(d, "be", 0)->reach, 4);
    assert_null(use_of(d, "two", 0)->cast);
    assert_int_equal(global_use(d, "global", "shared")->use.length, 0);
    assert_true(use_of(d, "copy", 0)->read);
    assert_true(!use_of(d, "idle", 0)->dereferenced && use_of(d, "idle", 0)->length == -1);
    decls_free(d);
}

static void fields(void **state)
{
    (void)state;
    Decls *d = declare("#include <string.h>\nstruct vec { int *data; int used, cap; char *name; void *spare; }; struct slice { const char "
                       "*p; unsigned n; };\n"
                       "int push(struct vec *v, int x) { if (v->used >= v->cap) return 0; v->data[v->used++] = x; return 1; }"
                       "int sum(const struct vec *v) { int t = 0; for (int i = 0; i < v->used; i++) t += v->data[i]; return t; }"
                       "unsigned long label(struct vec *v) { return strlen(v->name); } int at(struct slice s, unsigned i) { return i < s.n "
                       "? s.p[i] : -1; }"
                       "void set(struct vec *v, char *name) { v->name = name; } int count(const int *a, int k) { int t = 0; while (k--) t "
                       "+= *a++; return t; }"
                       "int all(struct vec *v) { return count(v->data, v->used); }");
    const CType *vec = find(d, "push")->params[0].type->of, *slice = find(d, "at")->params[0].type;
    const CUse *data = field_of(vec, "data")->use, *name = field_of(vec, "name")->use, *p = field_of(slice, "p")->use;
    assert_true(data && data->indexed && data->written && data->read);
    assert_string_equal(vec->fields[data->length].name, "cap");
    assert_true(name && name->string && !name->written);
    assert_null(field_of(vec, "spare")->use);
    assert_string_equal(slice->fields[p->length].name, "n");
    assert_true(use_of(d, "set", 1)->string); /* as the field it is stored in */
    decls_free(d);
}

/* Pointers and numbers that are not named after each other, stored in a struct: by assignments, by `{…}` with and without names. */
static void stored_in_structs(void **state)
{
    (void)state;
    Decls *d =
        declare("struct rd { const int *v; int at, k, id; }; struct cur { const char *p, *end; int rest; };\n"
                "int get(struct rd *r) { return r->at < r->k ? r->v[r->at++] : r->id; }\n"
                "int next(struct cur *c) { return c->p < c->end ? *c->p++ : -1; }\n"
                "int named(int id, const int *a, int limit) { struct rd r = {.k = limit, .v = a, .id = id}; return get(&r); }\n"
                "int placed(int id, const int *a, int limit) { struct rd r = {a, 0, limit, id}; return get(&r); }\n"
                "int assigned(int id, const int *a, int limit) { struct rd r; r.v = a, r.k = limit, r.id = id; return get(&r); }\n"
                "int end(const char *text, int used) { struct cur c = {text, text + used}; return next(&c); }\n"
                "int end_later(const char *text, int used) { struct cur c; c.p = text; c.end = text + used; return next(&c); }\n"
                "int inside(const char *text, int used) { struct cur c = {.end = 0, .p = text + 1, .rest = used}; return next(&c); }\n");
    for (const char *const *name = (const char *const[]){"named", "placed", "assigned", NULL}; *name; name++)
        assert_int_equal(use_of(d, *name, 1)->length, 2);
    assert_int_equal(use_of(d, "end", 0)->length, 1);
    assert_int_equal(use_of(d, "end_later", 0)->length, 1);
    assert_int_equal(use_of(d, "inside", 0)->length, -1);
    decls_free(d);
}

/* ---- sources ---- */

static void several_sources(void **state)
{
    (void)state;
    char folder[] = "/tmp/clew-test-XXXXXX", *before = getcwd(NULL, 0);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    FILE *a = fopen("a.c", "w"), *b = fopen("b.c", "w"), *h = fopen("k.h", "w");
    fputs("#include \"k.h\"\nint two(const char *s); static int s(void) { return 1; } int one(const char *t) { return two(t) + s() + K; }",
          a);
    fputs("static int s(void) { return 2; } int two(const char *s_) { int n = s(); while (s_[n]) n++; return n; }", b);
    fputs("#define K 3\nint one(const char *);\nstatic int in_header(void) { return K; }\n", h);
    fclose(a), fclose(b), fclose(h);
    const char *path = folder, *flags[] = {"-I", ".", "-O3"};
    FrontOptions options = {.files = &path, .file_count = 1, .flags = flags, .flag_count = 3};
    Decls *d;
    Error error;
    assert_int_equal(front_declare(&options, &d, &error), OK);
    assert_int_equal(d->source_count, 2);
    assert_int_equal(d->sources[0].flag_count, 2);
    assert_true(use_of(d, "one", 0)->string); /* through the other source */
    assert_int_equal(find(d, "two")->source, 1);
    assert_ptr_not_equal(decls_function(d, "s", 0), decls_function(d, "s", 1));
    assert_int_equal(decls_function(d, "s", 1)->source, 1);
    assert_ptr_equal(decls_function(d, "two", 0), find(d, "two"));
    assert_true(find(d, "in_header")->in_header);
    decls_free(d);
    unlink("a.c"), unlink("b.c"), unlink("k.h");
    assert_int_equal(chdir(before), 0);
    rmdir(folder);
    free(before);
}

static void header_as_source(void **state)
{
    (void)state;
    Decls *d = NULL;
    Error error = {0};
    assert_int_equal(try_declare(".h", "#pragma once\nstatic inline int twice(int x) { return 2 * x; }\n", &d, &error), OK);
    assert_true(find(d, "twice")->defined && !find(d, "twice")->in_header);
    decls_free(d);
}

static void faults(void **state)
{
    (void)state;
    Decls *d;
    Error error = {0};
    assert_int_equal(try_declare(".c", "int a;\n#include \"no such file.h\"\n", &d, &error), FAILED);
    assert_null(d);
    assert_non_null(strstr(error.text, ".c:2:10: 'no such file.h' file not found"));
    assert_non_null(strstr(error.text, "-I"));
    assert_int_equal(try_declare(".c", "int f(void) {\n return x;\n}\n", &d, &error), FAILED);
    assert_non_null(strstr(error.text, ".c:2:9"));
}

static void bitcode_is_listed(void **state)
{
    (void)state;
    Decls *d = NULL;
    Error error = {0};
    assert_int_equal(try_declare(".ll", "define i32 @f() {\n ret i32 0\n}\n", &d, &error), OK);
    assert_true(d->source_count == 1 && d->sources[0].is_bitcode && d->function_count == 0);
    decls_free(d);
}

static void first_values(void **state)
{
    (void)state;
    Decls *d = declare("#include <stdlib.h>\n"
                       "static const char *names[2] = {\"a\", \"b\"};\n"
                       "static void (*release)(void *) = free;\n"
                       "static int level, seen, kept;\n"
                       "int *address = &kept;\n"
                       "void set(int *);\n"
                       "char f(unsigned i) { return i < 2 && !kept ? names[i][0] : 0; }\n"
                       "void g(void *p) { release(p); level = 1; set(&seen); }\n");
    assert_true(global_of(d, "names")->initialised && !global_of(d, "names")->written);
    assert_true(global_of(d, "release")->frees && !global_of(d, "release")->written);
    assert_true(global_of(d, "level")->written && !global_of(d, "level")->initialised);
    assert_true(global_of(d, "seen")->written && global_of(d, "kept")->written);
    decls_free(d);
}

static void texts_and_ends(void **state)
{
    (void)state;
    Decls *d = declare("#include <string.h>\n"
                       "int f(const char *s) { size_t n = strlen(s); return strcmp(s, \"configuration\") == 0 || n > 20; }\n"
                       "long len(const char *s, const char *e) { return e - s; }\n"
                       "long pass(const char *s, const char *e) { return len(s, e); }\n"
                       "void move(char *d, const char *s, size_t n) { if (d < s) while (n--) *d++ = *s++; }\n"
                       "int cpy(char *dst, unsigned dn, const char *src) { unsigned i = 0;\n"
                       "    while (src[i] && i < dn) { dst[i] = src[i]; i++; } return 0; }\n"
                       "int at(int a[4], unsigned i) { return a[i]; }\n");
    assert_int_equal(find(d, "f")->text, 20);
    assert_true(use_of(d, "len", 1)->inside == 1 && use_of(d, "len", 0)->has_end);
    assert_true(use_of(d, "pass", 1)->inside == 1 && use_of(d, "pass", 0)->has_end);
    assert_true(use_of(d, "move", 1)->inside == 0 && use_of(d, "move", 1)->length == 2);
    assert_true(use_of(d, "cpy", 2)->string && use_of(d, "cpy", 2)->length < 0 && use_of(d, "cpy", 0)->length == 1);
    assert_int_equal(use_of(d, "at", 0)->declared, 4);
    decls_free(d);
}

static void fields_of_text(void **state)
{
    (void)state;
    Decls *d = declare("#include <string.h>\n"
                       "struct r { char id[4], name[8]; };\n"
                       "struct n { struct n *next; }; struct l { struct n *head; };\n"
                       "struct v { char *p; unsigned len, cap; };\n"
                       "int f(const struct r *r) { return r->id[3] == 'x' || strcmp(r->name, \"abc\") == 0; }\n"
                       "int g(struct l *l, struct n *x, struct n *y) { return x == l->head && x != y; }\n"
                       "int h(struct v *v) { if (v->len > v->cap) return -1; return v->p[v->len]; }\n");
    const CType *record = find(d, "f")->params[0].type->of;
    assert_true(!field_of(record, "id")->use || !field_of(record, "id")->use->string);
    assert_true(field_of(record, "name")->use->string);
    assert_true(use_of(d, "g", 1)->meets_field && !use_of(d, "g", 2)->meets_field && use_of(d, "g", 2)->compared);
    assert_int_equal(find(d, "h")->checked_count, 2);
    assert_int_equal(find(d, "g")->checked_count, 0);
    decls_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars),
        cmocka_unit_test(records),
        cmocka_unit_test(derived_types),
        cmocka_unit_test(spellings_compile),
        cmocka_unit_test(entries),
        cmocka_unit_test(variables),
        cmocka_unit_test(strings),
        cmocka_unit_test(lengths),
        cmocka_unit_test(no_lengths),
        cmocka_unit_test(pointers),
        cmocka_unit_test(several_sources),
        cmocka_unit_test(header_as_source),
        cmocka_unit_test(faults),
        cmocka_unit_test(bitcode_is_listed),
        cmocka_unit_test(fields),
        cmocka_unit_test(first_values),
        cmocka_unit_test(texts_and_ends),
        cmocka_unit_test(fields_of_text),
        cmocka_unit_test(stored_in_structs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
