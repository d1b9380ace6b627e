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
    for (uint32_t i = 0; i < record->memory.len; i++) {
        RecordMemory *memory = &vec_at(&record->memory, i);
        free(memory->name);
        free(memory->bytes);
        free(memory->set);
    }
    vec_release(&record->memory);
    vec_release(&record->branches);
    vec_release(&record->taken);
    strbuf_release(&record->output);
    free(record->unit);
    free(record->bug);
    free(record->file);
    free(record->function);
    free(record->message);
    free(record->blame);
    free(record->unasked);
    free(record->object);
    free(record->turns);
    *record = (Record){0};
}

static void *copy_bytes(const void *bytes, size_t n)
{
    void *copy = mem_alloc(n + 1);
    if (n) memcpy(copy, bytes, n);
    return copy;
}

static void copy_memory(Record *to, const Record *from)
{
    for (uint32_t i = 0; i < from->memory.len; i++) {
        RecordMemory memory = vec_at(&from->memory, i);
        memory.name = copy_text(memory.name);
        memory.bytes = copy_bytes(memory.bytes, memory.count);
        memory.set = copy_bytes(memory.set, memory.count);
        vec_push(&to->memory, memory);
    }
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
                   .doublings = from->doublings,
                   .end = from->end,
                   .status = from->status,
                   .bug = copy_text(from->bug),
                   .file = copy_text(from->file),
                   .line = from->line,
                   .function = copy_text(from->function),
                   .message = copy_text(from->message),
                   .blame = copy_text(from->blame),
                   .unasked = copy_text(from->unasked),
                   .turns = copy_text(from->turns),
                   .object = copy_text(from->object)};
    copy_values(to, from);
    copy_memory(to, from);
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

bool record_is_failure(const char *name)
{
    static const char end[] = "() fails";
    size_t n = strlen(name);
    return n > strlen(end) && strcmp(name + n - strlen(end), end) == 0;
}

const RecordSeen *record_seen(const Record *record, const char *name)
{
    for (uint32_t i = 0; i < record->seen.len; i++) {
        const RecordSeen *seen = &vec_at(&record->seen, i);
        if (seen->type != 'o' && seen->type != 'k' && strcmp(seen->name, name) == 0) return seen;
    }
    return NULL;
}

const RecordMemory *record_memory(const Record *record, uint32_t moment, uint64_t address)
{
    const RecordMemory *ends = NULL;
    for (uint32_t i = 0; i < record->memory.len; i++) {
        const RecordMemory *memory = &vec_at(&record->memory, i);
        if (memory->moment != moment || address < memory->address || address > memory->address + memory->size) continue;
        if (address < memory->address + memory->size) return memory;
        ends = memory;
    }
    return ends;
}

bool record_byte(const RecordMemory *memory, uint64_t offset, unsigned char *byte)
{
    bool known = offset < memory->count ? memory->set[offset] != 0 : offset - memory->count < memory->zeros;
    if (known) *byte = offset < memory->count ? memory->bytes[offset] : 0;
    return known;
}

bool record_text(const RecordMemory *memory, uint64_t offset, StrBuf *text)
{
    unsigned char byte;
    strbuf_add(text, "");
    for (uint64_t i = offset; record_byte(memory, i, &byte); i++) {
        if (byte == 0) return true;
        strbuf_add_bytes(text, &byte, 1);
    }
    return false;
}
