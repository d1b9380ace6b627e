/* record: as bytes.
 *
 * "CLRC", a version, the fields in the order of the struct, and 8 bytes of checksum over all that.  Numbers are LEB128 (7 bits a byte, the lowest first,
 * as short as possible, so that a record has one spelling), texts a length and their bytes; length 0 means NULL, others are one more than the text's.
 *
 * The reader trusts nothing.  A count is believed only if as many entries could stand in the bytes that are left, so a damaged record cannot ask
 * for memory that its size does not explain.  After the first fault everything reads as 0 and the fault is reported once, at the end. */
#include "record/record.h"

static const char MAGIC[4] = {'C', 'L', 'R', 'C'};
enum { VERSION = 6, CHECKSUM = 8, HEAD = sizeof MAGIC + 1, TYPES_AND_FLAGS = 2 };

/* ---- writing ---- */

static void put_byte(StrBuf *out, unsigned byte)
{
    char c = (char)byte;
    strbuf_add_bytes(out, &c, 1);
}

static void put_number(StrBuf *out, U128 value)
{
    char bytes[19];
    size_t n = 0;
    for (; value >= 0x80; value >>= 7) bytes[n++] = (char)(0x80 | (unsigned)(value & 0x7f));
    bytes[n++] = (char)value;
    assert(n <= sizeof bytes);
    strbuf_add_bytes(out, bytes, n);
}

/* A small negative number stays short. */
static void put_signed(StrBuf *out, int32_t value)
{
    uint32_t u = (uint32_t)value;
    put_number(out, value < 0 ? ~(u << 1) : u << 1);
}

static void put_text(StrBuf *out, const char *text)
{
    if (!text) {
        put_number(out, 0);
        return;
    }
    size_t n = strlen(text);
    put_number(out, (U128)n + 1);
    strbuf_add_bytes(out, text, n);
}

static const char *const INPUT_TYPES = "iubcfp", *const SEEN_TYPES = "iubcfpok";

static bool is_among(const char *types, char type)
{
    return type != 0 && strchr(types, type);
}

static U128 mask_of(uint32_t width)
{
    return width >= 128 ? ~(U128)0 : ((U128)1 << width) - 1;
}

static void put_value(StrBuf *out, const char *name, char type, uint32_t width, U128 bits, uint64_t address)
{
    REQUIRE(name, "a recorded value has a name");
    REQUIRE(width <= 128, "a recorded value has at most 128 bits");
    put_text(out, name);
    put_byte(out, (unsigned char)type);
    put_byte(out, width);
    put_number(out, bits & mask_of(width));
    put_number(out, address);
}

static void put_memory(StrBuf *out, const RecordMemory *memory)
{
    REQUIRE(memory->name, "a piece of memory has a name, if an empty one");
    put_text(out, memory->name);
    put_byte(out, memory->kind);
    put_number(out, memory->moment);
    put_number(out, memory->address);
    put_number(out, memory->size);
    put_number(out, memory->count);
    put_number(out, memory->zeros);
    if (!memory->count) return;
    strbuf_add_bytes(out, memory->bytes, memory->count);
    strbuf_add_bytes(out, memory->set, memory->count);
}

static void put_checksum(StrBuf *out, size_t start)
{
    uint64_t sum = hash_bytes(out->text + start, out->len - start);
    for (unsigned i = 0; i < CHECKSUM; i++) put_byte(out, (unsigned)(sum >> (8 * i)) & 0xff);
}

void record_write(const Record *record, StrBuf *out)
{
    size_t start = out->len;
    strbuf_add_bytes(out, MAGIC, sizeof MAGIC);
    put_byte(out, VERSION);
    put_text(out, record->unit);
    put_number(out, record->inputs.len);
    for (uint32_t i = 0; i < record->inputs.len; i++) {
        const RecordInput *input = &vec_at(&record->inputs, i);
        REQUIRE(is_among(INPUT_TYPES, input->type), "a recorded input has one of the types of record.h");
        put_value(out, input->name, input->type, input->width, input->bits, input->address);
    }
    put_number(out, record->seen.len);
    for (uint32_t i = 0; i < record->seen.len; i++) {
        const RecordSeen *seen = &vec_at(&record->seen, i);
        REQUIRE(is_among(SEEN_TYPES, seen->type), "a recorded observation has one of the types of record.h");
        put_value(out, seen->name, seen->type, seen->width, seen->bits, seen->address);
        put_byte(out, seen->defined);
    }
    put_number(out, record->memory.len);
    for (uint32_t i = 0; i < record->memory.len; i++) put_memory(out, &vec_at(&record->memory, i));
    put_byte(out, record->doublings);
    put_byte(out, record->end);
    put_signed(out, record->status);
    put_text(out, record->bug);
    put_text(out, record->file);
    put_number(out, record->line);
    put_text(out, record->function);
    put_text(out, record->message);
    put_text(out, record->blame);
    put_text(out, record->unasked);
    put_text(out, record->object);
    put_text(out, record->turns);
    put_number(out, record->output.len);
    if (record->output.len) strbuf_add_bytes(out, record->output.text, record->output.len);
    put_number(out, record->branches.len);
    for (uint32_t i = 0; i < record->branches.len; i++) put_number(out, vec_at(&record->branches, i));
    put_number(out, record->taken.len);
    for (uint32_t i = 0; i < record->taken.len; i++) {
        uint32_t before = i ? vec_at(&record->taken, i - 1) : 0;
        REQUIRE(vec_at(&record->taken, i) >= before, "the branches that a run takes are in order");
        put_number(out, vec_at(&record->taken, i) - before);
    }
    put_checksum(out, start);
}

/* ---- reading ---- */

typedef struct Reader {
    const unsigned char *at, *end;
    const char *fault; /* the first; NULL: none */
} Reader;

static void spoil(Reader *in, const char *fault)
{
    if (!in->fault) in->fault = fault;
    in->at = in->end;
}

static unsigned get_byte(Reader *in, unsigned limit)
{
    if (in->at == in->end) {
        spoil(in, "it ends too early");
        return 0;
    }
    unsigned byte = *in->at++;
    if (byte > limit) spoil(in, "a field has a value that it cannot have");
    return in->fault ? 0 : byte;
}

static U128 get_number(Reader *in, U128 limit)
{
    U128 value = 0;
    unsigned byte;
    for (unsigned shift = 0;; shift += 7) {
        byte = get_byte(in, 0xff);
        U128 part = byte & 0x7f;
        if (shift >= 128 || (part << shift) >> shift != part || (shift && byte == 0)) {
            spoil(in, "a number is malformed");
            return 0;
        }
        value |= part << shift;
        if (!(byte & 0x80)) break;
    }
    if (value > limit) spoil(in, "a number is too large");
    return in->fault ? 0 : value;
}

/* How many entries follow, each of which takes at least so many bytes. */
static uint32_t get_count(Reader *in, size_t least)
{
    size_t room = (size_t)(in->end - in->at) / least;
    return (uint32_t)get_number(in, room < UINT32_MAX ? room : UINT32_MAX);
}

static int32_t get_signed(Reader *in)
{
    uint32_t u = (uint32_t)get_number(in, UINT32_MAX);
    return (int32_t)(u & 1 ? ~(u >> 1) : u >> 1);
}

static const unsigned char *get_bytes(Reader *in, size_t n)
{
    if ((size_t)(in->end - in->at) < n) spoil(in, "a text is longer than what is left");
    if (in->fault) return NULL;
    const unsigned char *bytes = in->at;
    in->at += n;
    return bytes;
}

static char *get_text(Reader *in)
{
    size_t n = (size_t)get_number(in, (U128)(size_t)(in->end - in->at));
    if (n == 0) return NULL;
    const unsigned char *bytes = get_bytes(in, n - 1);
    if (!bytes) return NULL;
    if (memchr(bytes, 0, n - 1)) {
        spoil(in, "a text has a NUL inside");
        return NULL;
    }
    char *text = mem_alloc(n);
    memcpy(text, bytes, n - 1);
    return text;
}

static char *get_name(Reader *in)
{
    char *name = get_text(in);
    if (!name) spoil(in, "a value has no name");
    return name;
}

static char get_type(Reader *in, const char *types)
{
    unsigned type = get_byte(in, 0x7f);
    if (!is_among(types, (char)type)) spoil(in, "a value has an unknown type");
    return (char)type;
}

static void get_inputs(Reader *in, Record *record)
{
    uint32_t count = get_count(in, 3 + TYPES_AND_FLAGS);
    for (uint32_t i = 0; i < count && !in->fault; i++) {
        RecordInput input = {.name = get_name(in)};
        input.type = get_type(in, INPUT_TYPES);
        input.width = get_byte(in, 128);
        input.bits = get_number(in, mask_of(input.width));
        input.address = (uint64_t)get_number(in, UINT64_MAX);
        vec_push(&record->inputs, input);
    }
}

static void get_seen(Reader *in, Record *record)
{
    uint32_t count = get_count(in, 4 + TYPES_AND_FLAGS);
    for (uint32_t i = 0; i < count && !in->fault; i++) {
        RecordSeen seen = {.name = get_name(in)};
        seen.type = get_type(in, SEEN_TYPES);
        seen.width = get_byte(in, 128);
        seen.bits = get_number(in, mask_of(seen.width));
        seen.address = (uint64_t)get_number(in, UINT64_MAX);
        seen.defined = get_byte(in, 1);
        vec_push(&record->seen, seen);
    }
}

static unsigned char *get_array(Reader *in, size_t n)
{
    const unsigned char *bytes = get_bytes(in, n);
    unsigned char *copy = mem_alloc(n + 1);
    if (bytes && n) memcpy(copy, bytes, n);
    return copy;
}

static void get_memory(Reader *in, Record *record)
{
    uint32_t count = get_count(in, 7);
    for (uint32_t i = 0; i < count && !in->fault; i++) {
        RecordMemory memory = {.name = get_name(in)};
        memory.kind = (RecordMemoryKind)get_byte(in, MEMORY_FUNCTION);
        memory.moment = (uint32_t)get_number(in, record->seen.len);
        memory.address = (uint64_t)get_number(in, UINT64_MAX);
        memory.size = (uint64_t)get_number(in, UINT64_MAX - memory.address);
        memory.count = get_count(in, 2);
        memory.zeros = (uint32_t)get_number(in, UINT32_MAX);
        memory.bytes = get_array(in, memory.count);
        memory.set = get_array(in, memory.count);
        for (uint32_t k = 0; k < memory.count; k++)
            if (memory.set[k] > 1) spoil(in, "a field has a value that it cannot have");
        vec_push(&record->memory, memory);
    }
}

static void get_branches(Reader *in, Record *record)
{
    uint32_t count = get_count(in, 1);
    for (uint32_t i = 0; i < count && !in->fault; i++) vec_push(&record->branches, (uint32_t)get_number(in, UINT32_MAX));
    count = get_count(in, 1);
    for (uint32_t i = 0, last = 0; i < count && !in->fault; i++) {
        last += (uint32_t)get_number(in, UINT32_MAX - last);
        vec_push(&record->taken, last);
    }
}

static void get_record(Reader *in, Record *record)
{
    record->unit = get_text(in);
    get_inputs(in, record);
    get_seen(in, record);
    get_memory(in, record);
    record->doublings = get_byte(in, 63);
    record->end = (RecordEnd)get_byte(in, END_IDLE);
    record->status = get_signed(in);
    record->bug = get_text(in);
    record->file = get_text(in);
    record->line = (uint32_t)get_number(in, UINT32_MAX);
    record->function = get_text(in);
    record->message = get_text(in);
    record->blame = get_text(in);
    record->unasked = get_text(in);
    record->object = get_text(in);
    record->turns = get_text(in);
    size_t n = get_count(in, 1);
    const unsigned char *output = get_bytes(in, n);
    if (output && n) strbuf_add_bytes(&record->output, output, n);
    get_branches(in, record);
    if (in->at != in->end) spoil(in, "something follows its end");
}

static bool checksum_holds(const unsigned char *bytes, size_t n)
{
    uint64_t sum = hash_bytes(bytes, n), stored = 0;
    for (unsigned i = 0; i < CHECKSUM; i++) stored |= (uint64_t)bytes[n + i] << (8 * i);
    return sum == stored;
}

Status record_read(Record *record, const void *bytes, size_t n, Error *error)
{
    const unsigned char *at = bytes;
    *record = (Record){0};
    if (n < HEAD + CHECKSUM || memcmp(at, MAGIC, sizeof MAGIC) != 0) return fail(error, "these %zu bytes are not the record of a run", n);
    if (at[sizeof MAGIC] != VERSION)
        return fail(error, "the record of a run is of version %u, this Clew reads version %u", at[sizeof MAGIC], VERSION);
    n -= CHECKSUM;
    if (!checksum_holds(at, n)) return fail(error, "the record of a run is damaged: its checksum differs");
    Reader in = {at + HEAD, at + n, NULL};
    get_record(&in, record);
    if (!in.fault) return OK;
    record_release(record);
    return fail(error, "the record of a run is damaged: %s", in.fault);
}
