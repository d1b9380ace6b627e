/* Alarms of other tools: what cppcheck (--xml), clang's analyzer (SARIF), gcc (-fdiagnostics-format=json, or SARIF) and Frama-C (-report-csv) report, in one form.
 *
 * An alarm is a place where something may go wrong.  It says nothing of other places, so it is never read as a verdict.  The format is told by the text
 * itself.  Of an alarm with several places the first is where the fault is said to happen. */
#include "verified/verified_int.h"

#include <jansson.h>
#include <stdlib.h>

static const struct {
    const char *rule, *message, *kinds[ALARM_KINDS + 1];
} rules[] = {
#define ALARM(rule, message, ...) {rule, message, {__VA_ARGS__}},
#include "verified/alarms.def"
#undef ALARM
};

static const char *const *kinds_of(const char *rule, const char *message)
{
    static const char *const none[] = {NULL};
    for (size_t i = 0; i < COUNT_OF(rules); i++)
        if (strcasestr(rule, rules[i].rule) && strcasestr(message, rules[i].message)) return rules[i].kinds;
    return none;
}

void verified__add_alarm(Alarms *alarms, const char *tool, const char *rule, const char *message, const char *file, uint64_t line)
{
    if (!file || line < 1 || line > UINT32_MAX) return; /* about the program as a whole */
    Alarm alarm = {.tool = mem_strdup(tool), .rule = mem_strdup(rule ? rule : ""), .message = mem_strdup(message ? message : "")};
    alarm.file = mem_strdup(strncmp(file, "file://", 7) == 0 ? file + 7 : file);
    alarm.line = (uint32_t)line;
    alarm.kinds = kinds_of(alarm.rule, alarm.message);
    vec_push(alarms, alarm);
}

/* ---- cppcheck ---- */

/* The value of an attribute of the element that begins at `at`; the caller's to free.  NULL: it has none. */
static char *attribute(const char *at, const char *name)
{
    static const struct {
        const char *entity;
        char character;
    } entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&apos;", '\''}, {"&quot;", '"'}};
    StrBuf value = {0};
    char *key = mem_format(" %s=\"", name);
    size_t length = strcspn(at, ">");
    const char *from = strstr(at, key);
    if (!from || from >= at + length) {
        free(key);
        return NULL;
    }
    strbuf_add(&value, "");
    for (from += strlen(key); *from && *from != '"';) {
        size_t n = 1;
        char c = *from;
        for (size_t i = 0; i < COUNT_OF(entities); i++)
            if (strncmp(from, entities[i].entity, strlen(entities[i].entity)) == 0) {
                c = entities[i].character;
                n = strlen(entities[i].entity);
            }
        strbuf_add_bytes(&value, &c, 1);
        from += n;
    }
    free(key);
    return value.text;
}

/* Severity "information" is about the analysis, not about the program. */
static bool is_information(const char *error)
{
    char *severity = attribute(error, "severity");
    bool found = severity && strcmp(severity, "information") == 0;
    free(severity);
    return found;
}

static Status read_cppcheck(const char *path, const char *text, Alarms *alarms, Error *error)
{
    if (!strstr(text, "</results>")) return fail(error, "%s holds no alarms that can be read: </results> is missing", path);
    for (const char *at = text; (at = strstr(at, "<error ")); at++) {
        const char *next = strstr(at + 1, "<error "), *place = strstr(at, "<location ");
        if (!place || (next && place > next) || is_information(at)) continue;
        char *rule = attribute(at, "id"), *message = attribute(at, "msg"), *file = attribute(place, "file"),
             *line = attribute(place, "line");
        verified__add_alarm(alarms, "cppcheck", rule, message, file, line ? strtoull(line, NULL, 10) : 0);
        free(rule);
        free(message);
        free(file);
        free(line);
    }
    return OK;
}

/* ---- SARIF ---- */

static void read_result(const char *tool, const json_t *result, Alarms *alarms)
{
    const json_t *place = json_object_get(json_array_get(json_object_get(result, "locations"), 0), "physicalLocation");
    const json_t *file = json_object_get(json_object_get(place, "artifactLocation"), "uri");
    const json_t *line = json_object_get(json_object_get(place, "region"), "startLine");
    verified__add_alarm(alarms, tool, json_string_value(json_object_get(result, "ruleId")),
                        json_string_value(json_object_get(json_object_get(result, "message"), "text")), json_string_value(file),
                        (uint64_t)json_integer_value(line));
}

static void read_sarif(const json_t *root, Alarms *alarms)
{
    size_t i, k;
    json_t *run, *result;
    json_array_foreach(json_object_get(root, "runs"), i, run)
    {
        const char *tool = json_string_value(json_object_get(json_object_get(json_object_get(run, "tool"), "driver"), "name"));
        json_array_foreach(json_object_get(run, "results"), k, result) read_result(tool ? tool : "SARIF", result, alarms);
    }
}

/* ---- gcc ---- */

static void read_gcc(const json_t *list, Alarms *alarms)
{
    size_t i;
    json_t *entry;
    json_array_foreach(list, i, entry)
    {
        const char *kind = json_string_value(json_object_get(entry, "kind"));
        const json_t *place = json_object_get(json_array_get(json_object_get(entry, "locations"), 0), "caret");
        if (!kind || strcmp(kind, "note") == 0) continue;
        verified__add_alarm(alarms, "gcc", json_string_value(json_object_get(entry, "option")),
                            json_string_value(json_object_get(entry, "message")), json_string_value(json_object_get(place, "file")),
                            (uint64_t)json_integer_value(json_object_get(place, "line")));
    }
}

/* One document of gcc for each file that was compiled, one after another. */
static Status read_json(const char *path, const char *text, Alarms *alarms, Error *error)
{
    for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n")) {
        json_error_t fault;
        json_t *root = json_loads(text, JSON_DISABLE_EOF_CHECK, &fault);
        if (!root) return fail(error, "%s holds no alarms that can be read: %s (line %d)", path, fault.text, fault.line);
        if (json_is_array(root)) read_gcc(root, alarms);
        else read_sarif(root, alarms);
        bool is_known = json_is_array(root) || json_is_array(json_object_get(root, "runs"));
        json_decref(root);
        if (!is_known) return fail(error, "%s is neither SARIF nor what gcc writes with -fdiagnostics-format=json", path);
        text += fault.position;
    }
    return OK;
}

/* ---- the file ---- */

static void release_from(Alarms *alarms, uint32_t first)
{
    for (uint32_t i = first; i < alarms->len; i++) {
        free(alarms->data[i].tool);
        free(alarms->data[i].rule);
        free(alarms->data[i].message);
        free(alarms->data[i].file);
    }
    alarms->len = first;
}

static Status read_text(const char *path, const char *text, Alarms *alarms, Error *error)
{
    const char *start = text + strspn(text, " \t\r\n");
    if (frama_c_wrote_goals(start)) return frama_c_goals(path, error);
    if (frama_c_wrote(start)) {
        frama_c_alarms(start, alarms);
        return OK;
    }
    if (*start == '[' || *start == '{') return read_json(path, start, alarms, error);
    if (strstr(text, "<results") && strstr(text, "<cppcheck")) return read_cppcheck(path, text, alarms, error);
    return fail(
        error,
        "%s is neither SARIF, nor cppcheck's --xml, nor what gcc writes with -fdiagnostics-format=json, nor what Frama-C writes with "
        "-report-csv",
        path);
}

Status alarms_read(const char *path, Alarms *alarms, Error *error)
{
    StrBuf text = {0};
    uint32_t before = alarms->len;
    if (verified__read_text(path, "alarms", &text, error) != OK) return FAILED;
    Status status = read_text(path, text.text, alarms, error);
    if (status != OK) release_from(alarms, before);
    strbuf_release(&text);
    return status;
}

void alarms_release(Alarms *alarms)
{
    release_from(alarms, 0);
    vec_release(alarms);
}
