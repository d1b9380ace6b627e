/* emit: Test-Comp's exchange format for test suites, version 1.1 (gitlab.com/sosy-lab/test-comp/test-format).
 *
 * DIR/testcomp/metadata.xml and one test-N.xml for each test, N being its number in the ledger.  A test is the sequence of values that the program
 * gets from its calls of __VERIFIER_nondet_*, in that order.  Units have a folder of their own each. */
#include "emit/emit_int.h"

#include <stdlib.h>
#include <time.h>

static void add_xml(StrBuf *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': strbuf_add(out, "&amp;"); break;
        case '<': strbuf_add(out, "&lt;"); break;
        case '>': strbuf_add(out, "&gt;"); break;
        case '"': strbuf_add(out, "&quot;"); break;
        default:
            if ((unsigned char)*text >= 32 || *text == '\t' || *text == '\n') strbuf_add_bytes(out, text, 1);
            else strbuf_add(out, "?"); /* XML 1.0 has no such characters */
        }
    }
}

static void add_element(StrBuf *out, const char *name, const char *text)
{
    strbuf_addf(out, "  <%s>", name);
    add_xml(out, text);
    strbuf_addf(out, "</%s>\n", name);
}

static void add_head(StrBuf *out, const char *kind, const char *root)
{
    strbuf_addf(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
        "<!DOCTYPE %s PUBLIC \"+//IDN sosy-lab.org//DTD test-format %s 1.1//EN\" \"https://sosy-lab.org/test-format/%s-1.1.dtd\">\n",
        root, kind, kind);
}

/* ---- one test ---- */

/* Does it call reach_error?  Where nothing defines that function, such a call is an assertion. */
static bool covers_error(const LedgerTest *test)
{
    const char *bug = test->record.bug, *function = test->record.function;
    if (test->record.end != END_BUG) return false;
    if (function && (strcmp(function, "reach_error") == 0 || strcmp(function, "__VERIFIER_error") == 0)) return true;
    return bug && strcmp(bug, "assertion") == 0;
}

/* "int128.low" directly before "int128.high": the one value they are halves of. */
static bool is_halves(const Record *record, uint32_t i, bool *is_signed)
{
    if (i + 1 >= record->inputs.len) return false;
    const char *low = record->inputs.data[i].name, *high = record->inputs.data[i + 1].name;
    *is_signed = strcmp(low, "int128.low") == 0 && strcmp(high, "int128.high") == 0;
    return *is_signed || (strcmp(low, "uint128.low") == 0 && strcmp(high, "uint128.high") == 0);
}

static void add_value(StrBuf *out, const RecordInput *input)
{
    bool is_float = input->type == 'f' && (input->width == 32 || input->width == 64);
    if (is_float) emit__float(out, input->width, input->bits);
    else emit__decimal(out, input->bits, input->width, input->type == 'i' || (input->type == 'c' && input->width == 8));
}

static Status write_test(Suite *suite, const LedgerTest *test, const char *path)
{
    StrBuf out = {0};
    const Record *record = &test->record;
    add_head(&out, "testcase", "testcase");
    strbuf_addf(&out, "<testcase%s>\n", covers_error(test) ? " coversError=\"true\"" : "");
    for (uint32_t i = 0; i < record->inputs.len; i++) {
        bool is_signed;
        strbuf_add(&out, "  <input>");
        if (is_halves(record, i, &is_signed)) {
            U128 whole = record->inputs.data[i].bits | record->inputs.data[i + 1].bits << 64;
            emit__decimal(&out, whole, 128, is_signed);
            i++;
        } else {
            add_value(&out, &record->inputs.data[i]);
        }
        strbuf_add(&out, "</input>\n");
    }
    strbuf_add(&out, "</testcase>\n");
    Status status = emit__write(suite, path, &out);
    strbuf_release(&out);
    return status;
}

/* ---- metadata ---- */

/* The time of the suite's making; SOURCE_DATE_EPOCH fixes it, as reproducible builds have it. */
static void creation_time(char text[32])
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    time_t when = epoch && *epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    struct tm broken;
    gmtime_r(&when, &broken);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &broken);
}

static const char *architecture(const CSource *source)
{
    for (uint32_t i = 0; i < source->flag_count; i++)
        if (strcmp(source->flags[i], "-m32") == 0) return "32bit";
    return "64bit";
}

static Status write_metadata(Suite *suite, const Batch *batch, const char *path)
{
    uint32_t source = batch->source != UINT32_MAX ? batch->source : 0;
    if (source >= suite->decls->source_count) return OK;
    char *program = emit__source_path(suite->decls, source), hash[65], created[32];
    StrBuf bytes = {0}, out = {0};
    Status status = emit__read(program, &bytes, suite->error);
    if (status == OK) {
        emit__sha256(bytes.text, bytes.len, hash);
        creation_time(created);
        add_head(&out, "test-metadata", "test-metadata");
        strbuf_add(&out, "<test-metadata>\n");
        add_element(&out, "sourcecodelang", "C");
        add_element(&out, "producer", "Clew");
        add_element(&out, "specification", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )");
        add_element(&out, "programfile", suite->decls->sources[source].path);
        add_element(&out, "programhash", hash);
        add_element(&out, "entryfunction", batch->unit);
        add_element(&out, "architecture", architecture(&suite->decls->sources[source]));
        add_element(&out, "creationtime", created);
        strbuf_add(&out, "</test-metadata>\n");
        status = emit__write(suite, path, &out);
    }
    free(program);
    strbuf_release(&bytes);
    strbuf_release(&out);
    return status;
}

Status emit__testcomp(Suite *suite, const Batch *batch)
{
    char *folder = batch->plan ? mem_format("testcomp/%s", batch->word) : mem_strdup("testcomp");
    char *path = mem_format("%s/metadata.xml", folder);
    Status status = write_metadata(suite, batch, path);
    free(path);
    for (uint32_t i = 0; i < batch->tests.len + batch->bugs.len && status == OK; i++) {
        uint32_t index = i < batch->tests.len ? batch->tests.data[i] : batch->bugs.data[i - batch->tests.len];
        const LedgerTest *test = &suite->ledger->tests.data[index];
        char *name = mem_format("test-%u", test->id);
        path = mem_format("%s/%s.xml", folder, name);
        status = write_test(suite, test, path);
        emit__set_written(suite, index, path, name);
        free(path);
        free(name);
    }
    free(folder);
    return status;
}
