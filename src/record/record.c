/* record: storage and lookup.  How it is written as bytes: codec.c. */
#include "record/record.h"

#include <stdlib.h>

static char *copy_text(const char *text)
{
    return text ? mem_strdup(text) : NULL;
}

void record_release(Record *record)
{
    for (uint32_t i = 0; i < record->inputs.len; i++) free(vec_at(&record->inputs, i).name);
    for (uint32_t i = 0; i < record->seen.len; i++) free(vec_at(&record->seen, i).name);
    vec_release(&record->inputs);
    vec_release(&record->seen);
    vec_release(&record->branches);
    vec_release(&record->taken);
    strbuf_release(&record->output);
    free(record->unit);
    free(record->bug);
    free(record->file);
    free(record->function);
    free(record->message);
    free(record->blame);
    free(record->object);
    *record = (Record){0};
}

static void copy_values(Record *to, const Record *from)
{
    if (from->inputs.len) vec_reserve(&to->inputs, from->inputs.len);
    for (uint32_t i = 0; i < from->inputs.len; i++) {
        RecordInput input = vec_at(&from->inputs, i);
        input.name = copy_text(input.name);
        vec_push(&to->inputs, input);
    }
    if (from->seen.len) vec_reserve(&to->seen, from->seen.len);
    for (uint32_t i = 0; i < from->seen.len; i++) {
        RecordSeen seen = vec_at(&from->seen, i);
        seen.name = copy_text(seen.name);
        vec_push(&to->seen, seen);
    }
}

void record_copy(Record *to, const Record *from)
{
    *to = (Record){.unit = copy_text(from->unit),
                   .end = from->end,
                   .status = from->status,
                   .bug = copy_text(from->bug),
                   .file = copy_text(from->file),
                   .line = from->line,
                   .function = copy_text(from->function),
                   .message = copy_text(from->message),
                   .blame = copy_text(from->blame),
                   .object = copy_text(from->object)};
    copy_values(to, from);
    if (from->output.len) strbuf_add_bytes(&to->output, from->output.text, from->output.len);
    for (uint32_t i = 0; i < from->branches.len; i++) vec_push(&to->branches, vec_at(&from->branches, i));
    for (uint32_t i = 0; i < from->taken.len; i++) vec_push(&to->taken, vec_at(&from->taken, i));
}

const RecordInput *record_input(const Record *record, const char *name, uint32_t nth)
{
    for (uint32_t i = 0; i < record->inputs.len; i++) {
        const RecordInput *input = &vec_at(&record->inputs, i);
        if (strcmp(input->name, name) == 0 && nth-- == 0) return input;
    }
    return NULL;
}

const RecordSeen *record_seen(const Record *record, const char *name)
{
    for (uint32_t i = 0; i < record->seen.len; i++) {
        const RecordSeen *seen = &vec_at(&record->seen, i);
        if (seen->type != 'o' && strcmp(seen->name, name) == 0) return seen;
    }
    return NULL;
}
