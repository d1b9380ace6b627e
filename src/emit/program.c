/* emit: tests of whole programs.
 *
 * The test file includes the source that defines main.  There main keeps its name, since only a function of that name may end without a return
 * statement and means 0 then; but its symbol is clew_program_main, so that the test file has an entry of its own.  (A macro that renames it would
 * change the exit status of many a program.)  Each test says what the program is given and how it must end; clew_test.c does the rest. */
#include "emit/emit_int.h"

#include <stdlib.h>

enum { MOST_OUTPUT = 4096 };

/* ---- main ---- */

/* Types of main's parameters, without the source's own names: "char **". */
static void add_type(StrBuf *out, const CType *type)
{
    bool is_pointer = type->kind == C_POINTER || type->kind == C_ARRAY;
    if (is_pointer) {
        add_type(out, type->of);
        strbuf_add(out, out->text[out->len - 1] == '*' ? "*" : " *");
    } else {
        const char *number = type->is_signed ? "int" : "unsigned";
        strbuf_add(out, type->kind == C_CHAR ? "char" : type->kind == C_INT && type->size == 4 ? number : type->plain);
    }
    if (type->is_const) strbuf_add(out, " const");
}

void emit__main_declaration(const CFunction *main_function, StrBuf *out)
{
    strbuf_addf(out, "%s main(", main_function->result->kind == C_VOID ? "void" : "int");
    for (uint32_t i = 0; i < main_function->param_count; i++) {
        if (i) strbuf_add(out, ", ");
        add_type(out, main_function->params[i].type);
    }
    strbuf_addf(out, "%s) __asm__(\"clew_program_main\");\n", main_function->param_count ? "" : "void");
}

static void add_program(const Suite *suite, const CFunction *main_function, StrBuf *out)
{
    static const char *const names[] = {"argc", "argv", "environment"};
    uint32_t count = main_function->param_count < 3 ? main_function->param_count : 3;
    bool returns = main_function->result->kind != C_VOID;
    strbuf_add(out, "static int clew_program(int argc, char **argv, char **environment)\n{\n");
    for (uint32_t i = count; i < 3; i++) strbuf_addf(out, "    (void)%s;\n", names[i]);
    if (suite->units) units_start(suite->units, out);
    strbuf_addf(out, "    %smain(", returns ? "return " : "");
    for (uint32_t i = 0; i < count; i++) {
        StrBuf type = {0};
        add_type(&type, main_function->params[i].type);
        bool plain = strcmp(type.text, i ? "char **" : "int") == 0;
        strbuf_addf(out, "%s%s%s%s%s", i ? ", " : "", plain ? "" : "(", plain ? "" : type.text, plain ? "" : ")", names[i]);
        strbuf_release(&type);
    }
    strbuf_addf(out, ");\n%s}\n\n", returns ? "" : "    return 0;\n");
}

/* ---- what the program lacks ---- */

/* Functions that nothing defines: the harness's own stubs, whose inputs come from the test instead of the machine. */
static void add_stubs(const Suite *suite, StrBuf *out)
{
    StrBuf stubs = {0};
    for (uint32_t i = 0; suite->units && units_count(suite->units) == 0 && i < suite->decls->source_count; i++)
        units_harness(suite->units, i, &stubs);
    if (stubs.len) {
        strbuf_add(out, "/* What the program uses and nothing here defines. */\n#define clew__at_start\n#pragma GCC diagnostic push\n"
                        "#pragma GCC diagnostic ignored \"-Wunknown-pragmas\"\n"
                        "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n");
        strbuf_add(out, stubs.text);
        strbuf_add(out, "#pragma GCC diagnostic pop\n\n");
    }
    strbuf_release(&stubs);
}

void emit__program_prelude(const Suite *suite, uint32_t source, StrBuf *out)
{
    const CFunction *main_function = emit__main(suite->decls, source);
    assert(main_function);
    add_stubs(suite, out);
    add_program(suite, main_function, out);
}

/* ---- one test ---- */

static void add_bytes_call(StrBuf *out, const char *function, const char *name, const StrBuf *bytes)
{
    size_t start = out->len;
    strbuf_addf(out, "    %s(", function);
    if (name) {
        emit__string(out, name, strlen(name), 0);
        strbuf_add(out, ", ");
    }
    unsigned indent = (unsigned)(out->len - start);
    emit__string(out, bytes->text ? bytes->text : "", bytes->len, indent < 60 ? indent : 8);
    strbuf_addf(out, ", %zu);\n", bytes->len);
}

static void add_text_call(StrBuf *out, const char *function, const char *name, const char *text, size_t n)
{
    strbuf_addf(out, "    %s(", function);
    if (name) {
        emit__string(out, name, strlen(name), 0);
        strbuf_add(out, ", ");
    }
    emit__string(out, text, n, 8);
    strbuf_add(out, ");\n");
}

static void add_arguments(const Suite *suite, const World *world, StrBuf *out)
{
    const EmitOptions *options = suite->options;
    for (uint32_t i = 0; i < world->argument_count; i++) {
        const StrBuf *given = i >= world->fixed_arguments ? &world->arguments.data[i - world->fixed_arguments] : NULL;
        const char *fixed = i < options->argument_count ? options->arguments[i] : i == 0 ? "program" : "";
        if (given) add_text_call(out, "clew_argument", NULL, given->text, given->len);
        else add_text_call(out, "clew_argument", NULL, fixed, strlen(fixed));
    }
}

static void add_number(const RecordInput *input, StrBuf *out)
{
    bool is_signed = input->type == 'i' || input->type == 'c';
    unsigned char c = (unsigned char)input->bits;
    if (input->type == 'c' && input->width == 8 && c >= 32 && c < 127) strbuf_addf(out, c == '\'' || c == '\\' ? "'\\%c'" : "'%c'", c);
    else if (is_signed && input->width == 64 && (uint64_t)input->bits == (uint64_t)1 << 63) strbuf_add(out, "-9223372036854775807ll - 1");
    else {
        emit__decimal(out, input->bits, input->width, is_signed);
        if (input->width > 32) strbuf_add(out, is_signed ? "ll" : "ull");
    }
}

static bool is_finite(const StrBuf *number)
{
    return !strchr(number->text, 'n'); /* neither nan nor inf */
}

static void add_value(const RecordInput *input, StrBuf *out)
{
    unsigned size = (input->width + 7) / 8;
    bool is_float = input->type == 'f' && (input->width == 32 || input->width == 64);
    StrBuf number = {0};
    if (is_float) emit__float(&number, input->width, input->bits);
    bool readable = is_float && is_finite(&number);
    strbuf_add(out, readable ? input->width == 32 ? "    clew_given_float(" : "    clew_given_double(" : "    clew_given(");
    emit__string(out, input->name, strlen(input->name), 0);
    if (readable) {
        strbuf_addf(out, ", %s%s", number.text, input->width == 32 ? "f" : "");
    } else if (is_float) {
        strbuf_addf(out, ", %u, (long long)0x%llxull /* %s */", size, (unsigned long long)input->bits, number.text);
    } else {
        strbuf_addf(out, ", %u, ", size);
        add_number(input, out);
    }
    strbuf_add(out, ");\n");
    strbuf_release(&number);
}

static bool is_number(const Record *record, const Group *group)
{
    const RecordInput *input = &record->inputs.data[group->first];
    return !group->array && input->width <= 64 && input->type != 'f';
}

/* How many of the groups from `first` on are the same number under the same name. */
static uint32_t equal_numbers(const Record *record, const Groups *groups, uint32_t first)
{
    const RecordInput *input = &record->inputs.data[groups->data[first].first];
    uint32_t n = 1;
    if (!is_number(record, &groups->data[first])) return 1;
    for (; first + n < groups->len && is_number(record, &groups->data[first + n]); n++) {
        const RecordInput *next = &record->inputs.data[groups->data[first + n].first];
        if (next->bits != input->bits || next->width != input->width || strcmp(next->name, input->name) != 0) break;
    }
    return n;
}

static void add_times(const RecordInput *input, uint32_t times, StrBuf *out)
{
    strbuf_addf(out, "    clew_given_times(%u, ", times);
    emit__string(out, input->name, strlen(input->name), 0);
    strbuf_addf(out, ", %u, ", (input->width + 7) / 8);
    add_number(input, out);
    strbuf_add(out, ");\n");
}

static void add_given(const Record *record, const Group *group, StrBuf *out)
{
    const RecordInput *input = &record->inputs.data[group->first];
    if (!group->array && input->width <= 64) return add_value(input, out);
    StrBuf bytes = {0};
    emit__group_bytes(record, group, &bytes);
    add_bytes_call(out, "clew_given_bytes", group->name, &bytes);
    strbuf_release(&bytes);
}

/* Is this what the unit's own harness made for a parameter, or the result of a stub? */
static bool is_made(const CFunction *function, const char *name)
{
    if (strstr(name, "()") || strncmp(name, "::", 2) == 0) return true;
    for (uint32_t i = 0; i < function->param_count; i++) {
        size_t n = strlen(function->params[i].name);
        if (n && strncmp(name, function->params[i].name, n) == 0 && (!name[n] || strchr("[._", name[n]))) return true;
    }
    return false;
}

/* A function may ask for inputs itself.  The harness makes its own before the call, so of several of one name those come later. */
void emit__unit_inputs(const CFunction *function, const Record *record, StrBuf *out)
{
    Groups groups = {0};
    NameMap seen = {0};
    emit__groups(record, &groups);
    for (uint32_t i = 0; i < groups.len; i++) {
        bool first = !names_find(&seen, groups.data[i].name);
        if (first) names_put(&seen, groups.data[i].name, i);
        if (!first || !is_made(function, groups.data[i].name)) add_given(record, &groups.data[i], out);
    }
    names_release(&seen);
    emit__release_groups(&groups);
}

static void add_expectations(const Record *record, StrBuf *out)
{
    switch (record->end) {
    case END_RETURN:
    case END_EXIT:
        if (record->status == RECORD_ANY_STATUS) strbuf_add(out, "    clew_expect_any_exit(); /* its status is never set */\n");
        else strbuf_addf(out, "    clew_expect_exit(%d);\n", record->status & 255);
        break;
    case END_SIGNAL: strbuf_addf(out, "    clew_expect_signal(%d);\n", record->status); break;
    case END_ASSUMPTION: strbuf_add(out, "    clew_expect_assumption();\n"); break;
    case END_INPUTS: strbuf_add(out, "    clew_expect_more_inputs();\n"); break;
    case END_IDLE: strbuf_add(out, "    clew_expect_endless();\n"); break;
    default: strbuf_add(out, "    clew_expect_anything();\n"); break;
    }
    bool goes_on = record->end == END_INPUTS || record->end == END_IDLE; /* and may hold back what it has printed */
    if (record->end == END_LIMIT || (goes_on && !record->output.len)) return;
    bool whole = record->output.len <= MOST_OUTPUT && !goes_on;
    StrBuf start = {.text = record->output.text, .len = record->output.len <= MOST_OUTPUT ? record->output.len : MOST_OUTPUT};
    add_bytes_call(out, whole ? "clew_expect_output" : "clew_expect_output_start", NULL, &start);
}

void emit__program_body(const Suite *suite, const Record *record, bool is_bug, StrBuf *out)
{
    World world;
    uint32_t fixed = suite->options->argument_count ? suite->options->argument_count : 1;
    emit__world(record, fixed, &world);
    add_arguments(suite, &world, out);
    for (uint32_t i = 0; i < world.variables.len; i++)
        add_text_call(out, "clew_environment", world.variables.data[i].name, world.variables.data[i].bytes.text,
                      world.variables.data[i].bytes.len);
    for (uint32_t i = 0; i < world.unset.len; i++) strbuf_addf(out, "    clew_environment(\"%s\", 0);\n", world.unset.data[i]);
    for (uint32_t i = 0; i < world.files.len; i++) add_bytes_call(out, "clew_file", world.files.data[i].name, &world.files.data[i].bytes);
    if (world.has_input) add_bytes_call(out, "clew_stdin", NULL, &world.input);
    unit_test_failures(record, out);
    for (uint32_t i = 0, n; i < world.asked.len; i += n) {
        n = equal_numbers(record, &world.asked, i);
        if (n > 1) add_times(&record->inputs.data[world.asked.data[i].first], n, out);
        else add_given(record, &world.asked.data[i], out);
    }
    if (!is_bug) add_expectations(record, out);
    strbuf_addf(out, "    %s(clew_program);\n", is_bug ? "clew_show_program" : "clew_run_program");
    emit__release_world(&world);
}
