/* A certificate without what the checker has not accepted: its nodes are then facts that hold, for `clew check` and `clew explain`. */
#include "prove/prove_int.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool has(const Numbers *numbers, json_int_t number)
{
    for (uint32_t i = 0; i < numbers->len; i++)
        if (numbers->data[i] == number) return true;
    return false;
}

static void add_json(StrBuf *out, const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    REQUIRE(text, "out of host memory");
    strbuf_add(out, text);
    free(text);
}

/* Nodes and branches stand on a line each. */
static void add_value(StrBuf *out, const char *key, const json_t *value)
{
    bool lines = strcmp(key, "nodes") == 0 || strcmp(key, "branches") == 0;
    strbuf_addf(out, "%s\"%s\":", out->len > 1 ? ",\n" : "", key);
    if (!lines) {
        add_json(out, value);
        return;
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        strbuf_add(out, i ? ",\n " : "[\n ");
        add_json(out, json_array_get(value, i));
    }
    strbuf_add(out, json_array_size(value) ? "\n]" : "[]");
}

static void remove_rest(json_t *certificate, const Numbers *dropped, const Numbers *accepted)
{
    json_t *nodes = json_object_get(certificate, "nodes"), *branches = json_object_get(certificate, "branches");
    for (uint32_t i = dropped->len; i-- > 0;) json_array_remove(nodes, dropped->data[i]); /* they are told in ascending order */
    for (size_t i = json_array_size(branches); i-- > 0;)
        if (!has(accepted, json_integer_value(json_object_get(json_array_get(branches, i), "id")))) json_array_remove(branches, i);
}

static Status replace(const char *path, const StrBuf *text, Error *error)
{
    char *aside = mem_format("%s.new", path);
    FILE *out = fopen(aside, "w");
    bool good = out && fwrite(text->text, 1, text->len, out) == text->len;
    if (out && fclose(out) != 0) good = false;
    if (good) good = rename(aside, path) == 0;
    Status status = good ? OK : fail(error, "cannot write %s: %s", path, strerror(errno));
    if (!good) unlink(aside);
    free(aside);
    return status;
}

Status prove__prune(const char *path, const Numbers *dropped, const Numbers *accepted, Error *error)
{
    json_error_t problem;
    json_t *certificate = json_load_file(path, 0, &problem), *value;
    const char *key;
    StrBuf text = {0};
    if (!certificate) return fail(error, "cannot read %s: %s", path, problem.text);
    remove_rest(certificate, dropped, accepted);
    strbuf_add(&text, "{");
    json_object_foreach(certificate, key, value) add_value(&text, key, value);
    strbuf_add(&text, "\n}\n");
    Status status = replace(path, &text, error);
    strbuf_release(&text);
    json_decref(certificate);
    return status;
}
