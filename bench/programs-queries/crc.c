/* A record of a logger: CRC-32 by a table over the payload, Fletcher's and Adler's sums, and a small hash table for its tags. */
#include <clew.h>
#include <stdint.h>
#include <string.h>

enum { PAYLOAD = 4, TAGS = 3, BUCKETS = 8 };

static uint32_t table[256];

static void prepare(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc32(const uint8_t *bytes, size_t n)
{
    uint32_t c = 0xffffffffu;
    for (size_t i = 0; i < n; i++) c = table[(c ^ bytes[i]) & 0xff] ^ c >> 8;
    return ~c;
}

static uint32_t adler32(const uint8_t *bytes, size_t n)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static uint16_t fletcher16(const uint8_t *bytes, size_t n)
{
    uint16_t a = 0, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (uint16_t)((a + bytes[i]) % 255);
        b = (uint16_t)((b + a) % 255);
    }
    return (uint16_t)(b << 8 | a);
}

static uint32_t hash(const char *tag)
{
    uint32_t h = 2166136261u;
    for (; *tag; tag++) h = (h ^ (uint8_t)*tag) * 16777619u;
    return h;
}

struct record {
    uint8_t payload[PAYLOAD];
    uint32_t crc;
    uint8_t method;
    char tag[3];
};

static const char *buckets[BUCKETS];

static void add_tag(const char *tag)
{
    uint32_t at = hash(tag) % BUCKETS;
    while (buckets[at]) at = (at + 1) % BUCKETS;
    buckets[at] = tag;
}

static int has_tag(const char *tag)
{
    for (uint32_t at = hash(tag) % BUCKETS; buckets[at]; at = (at + 1) % BUCKETS)
        if (!strcmp(buckets[at], tag)) return 1;
    return 0;
}

static int intact(const struct record *r)
{
    switch (r->method) {
    case 0: return r->crc == 0;
    case 1: return crc32(r->payload, PAYLOAD) == r->crc;
    case 2: return adler32(r->payload, PAYLOAD) == r->crc;
    case 3: return fletcher16(r->payload, PAYLOAD) == r->crc;
    default: return 0;
    }
}

int main(void)
{
    static const char *const tags[TAGS] = {"t1", "t2", "er"};
    struct record r;
    clew_make_symbolic(&r, sizeof r, "record");
    prepare();
    for (int i = 0; i < TAGS; i++) add_tag(tags[i]);
    if (!intact(&r)) return 1;
    if (r.method == 1 && crc32(r.payload, 2) == 0x41d912ff) return 2; /* that of two zero bytes */
    if (r.tag[2]) return 3;
    if (!has_tag(r.tag)) return 4;
    if (r.method == 3 && r.crc == 0x0102) return 5;
    return r.payload[0] == 0xff && r.payload[3] == r.payload[0] ? 6 : 0;
}
