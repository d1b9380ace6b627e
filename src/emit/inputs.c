/* emit: the inputs of a record, put together again.
 *
 * The machine names every variable; "buf[0]", "buf[1]", … are one object.  Of a whole program the machine's own inputs (record.h) are taken out:
 *     "NAME.size" (64 bits) directly before "NAME[0]", …    a file, or standard input; so many of its bytes are there
 *     "argc"           how many of the arguments that are inputs are there; they follow the fixed ones
 *     "argvI[0]", …    characters of argument I, up to a 0
 *     "$NAME[0]", …    characters of a variable of the environment; "$NAME.set": is it there?
 * and the rest is what the program asks for by calls, in that order. */
#include "emit/emit_int.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- groups ---- */

/* "buf[12]": true, with the length of "buf" and 12. */
static bool is_element(const char *name, size_t *length, uint64_t *index)
{
    const char *open = strrchr(name, '[');
    if (!open || open == name || !isdigit((unsigned char)open[1])) return false;
    char *end;
    *index = strtoull(open + 1, &end, 10);
    *length = (size_t)(open - name);
    return strcmp(end, "]") == 0;
}

static bool continues(const Record *record, const Group *group, const char *name, size_t length, uint64_t index, uint32_t width)
{
    return group->array && index == group->count && strncmp(group->name, name, length) == 0 && !group->name[length] &&
           record->inputs.data[group->first].width == width;
}

void emit__groups(const Record *record, Groups *groups)
{
    for (uint32_t i = 0; i < record->inputs.len; i++) {
        const RecordInput *input = &record->inputs.data[i];
        size_t length = 0;
        uint64_t index = 0;
        bool element = input->width % 8 == 0 && is_element(input->name, &length, &index);
        if (element && groups->len && continues(record, &vec_top(groups), input->name, length, index, input->width)) {
            vec_top(groups).count++;
            continue;
        }
        bool starts = element && index == 0;
        char *name = starts ? strndup(input->name, length) : mem_strdup(input->name);
        vec_push(groups, ((Group){name, starts, i, 1}));
    }
}

void emit__release_groups(Groups *groups)
{
    for (uint32_t i = 0; i < groups->len; i++) free(groups->data[i].name);
    vec_release(groups);
}

void emit__group_bytes(const Record *record, const Group *group, StrBuf *out)
{
    strbuf_add(out, "");
    for (uint32_t i = 0; i < group->count; i++) {
        const RecordInput *input = &vec_at(&record->inputs, group->first + i);
        for (uint32_t k = 0; k < input->width; k += 8) {
            unsigned rest = input->width - k, mask = rest < 8 ? (1u << rest) - 1 : 0xff;
            strbuf_add_bytes(out, &(uint8_t){(uint8_t)((unsigned)(input->bits >> k) & mask)}, 1);
        }
    }
}

/* ---- the world of a program ---- */

static U128 value_of(const Record *record, const Group *group)
{
    return vec_at(&record->inputs, group->first).bits;
}

static bool is_byte_array(const Record *record, const Group *group)
{
    return group->array && record->inputs.data[group->first].width == 8;
}

static void cut(StrBuf *bytes, U128 size)
{
    if (bytes->len > size) {
        bytes->len = (size_t)size;
        bytes->text[bytes->len] = 0;
    }
}

/* Up to the first 0. */
static StrBuf text_of(const Record *record, const Group *group)
{
    StrBuf text = {0};
    emit__group_bytes(record, group, &text);
    text.len = strlen(text.text);
    return text;
}

/* A size, and the bytes after it if there are any; returns how many groups that were. */
static uint32_t take_file(const Record *record, const Groups *groups, uint32_t i, World *world)
{
    const Group *size = &groups->data[i], *data = i + 1 < groups->len ? &groups->data[i + 1] : NULL;
    if (size->array || !emit__has_suffix(size->name, ".size") || record->inputs.data[size->first].width != 64) return 0;
    size_t length = strlen(size->name) - strlen(".size");
    bool is_input = length == 5 && strncmp(size->name, "stdin", 5) == 0;
    bool has_data = data && is_byte_array(record, data) && strlen(data->name) == length && strncmp(data->name, size->name, length) == 0;
    if (!is_input && !has_data) return 0;
    StrBuf bytes = {0};
    strbuf_add(&bytes, "");
    if (has_data) emit__group_bytes(record, data, &bytes);
    cut(&bytes, value_of(record, size));
    if (is_input) {
        strbuf_release(&world->input);
        world->input = bytes;
        world->has_input = true;
    } else {
        vec_push(&world->files, ((Text){strndup(size->name, length), bytes}));
    }
    return has_data ? 2 : 1;
}

static bool is_argument(const char *name, uint32_t *index)
{
    char *end;
    if (strncmp(name, "argv", 4) != 0 || !isdigit((unsigned char)name[4])) return false;
    *index = (uint32_t)strtoul(name + 4, &end, 10);
    return *end == 0;
}

static bool take_argument(const Record *record, const Group *group, World *world)
{
    uint32_t index;
    if (!is_byte_array(record, group) || !is_argument(group->name, &index)) return false;
    if (world->arguments.len == 0) world->fixed_arguments = index;
    vec_push(&world->arguments, text_of(record, group));
    return true;
}

static bool take_variable(const Record *record, const Group *group, World *world)
{
    if (group->name[0] != '$') return false;
    if (is_byte_array(record, group)) {
        vec_push(&world->variables, ((Text){mem_strdup(group->name + 1), text_of(record, group)}));
        return true;
    }
    if (!emit__has_suffix(group->name, ".set")) return false;
    if (!value_of(record, group)) vec_push(&world->unset, strndup(group->name + 1, strlen(group->name) - 5));
    return true;
}

static bool is_unset(const World *world, const char *name)
{
    for (uint32_t i = 0; i < world->unset.len; i++)
        if (strcmp(world->unset.data[i], name) == 0) return true;
    return false;
}

static void drop_unset(World *world)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->variables.len; i++) {
        Text *variable = &world->variables.data[i];
        if (!is_unset(world, variable->name)) {
            world->variables.data[kept++] = *variable;
            continue;
        }
        free(variable->name);
        strbuf_release(&variable->bytes);
    }
    world->variables.len = kept;
}

void emit__world(const Record *record, uint32_t fixed_arguments, World *world)
{
    Groups groups = {0};
    emit__groups(record, &groups);
    *world = (World){.fixed_arguments = fixed_arguments};
    U128 more = UINT32_MAX;
    for (uint32_t i = 0, n; i < groups.len; i += n) {
        Group *group = &groups.data[i];
        bool is_count = strcmp(group->name, "argc") == 0 && more == UINT32_MAX && world->arguments.len > 0;
        n = take_file(record, &groups, i, world);
        if (n) continue;
        n = 1;
        if (is_count) more = value_of(record, group);
        else if (!record_is_failure(group->name) && !take_argument(record, group, world) && !take_variable(record, group, world))
            vec_push(&world->asked, ((Group){mem_strdup(group->name), group->array, group->first, group->count}));
    }
    uint32_t there = more < world->arguments.len ? (uint32_t)more : world->arguments.len;
    world->argument_count = world->fixed_arguments + there;
    drop_unset(world);
    emit__release_groups(&groups);
}

void emit__release_world(World *world)
{
    for (uint32_t i = 0; i < world->files.len; i++) {
        free(world->files.data[i].name);
        strbuf_release(&world->files.data[i].bytes);
    }
    for (uint32_t i = 0; i < world->variables.len; i++) {
        free(world->variables.data[i].name);
        strbuf_release(&world->variables.data[i].bytes);
    }
    for (uint32_t i = 0; i < world->unset.len; i++) free(world->unset.data[i]);
    for (uint32_t i = 0; i < world->arguments.len; i++) strbuf_release(&world->arguments.data[i]);
    vec_release(&world->files);
    vec_release(&world->variables);
    vec_release(&world->unset);
    vec_release(&world->arguments);
    strbuf_release(&world->input);
    emit__release_groups(&world->asked);
}
