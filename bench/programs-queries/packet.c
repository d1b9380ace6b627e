/* A packet of a sensor network: header, options as type-length-value, and an Internet checksum over it all. */
#include <clew.h>
#include <stdint.h>
#include <string.h>

enum { SIZE = 16, HEADER = 6, VERSION = 2 };

enum option { END = 0, PAD = 1, INTERVAL = 2, LOCATION = 3, NAME = 4 };

struct packet {
    unsigned kind, flags, length;
    uint32_t interval;
    int16_t x, y;
    char name[8];
};

static uint16_t read16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static uint32_t read32(const uint8_t *at)
{
    return (uint32_t)read16(at) << 16 | read16(at + 2);
}

/* The one's complement sum of 16-bit words, as in RFC 1071. */
static uint16_t checksum(const uint8_t *bytes, unsigned n)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i + 1 < n; i += 2) sum += read16(bytes + i);
    if (n & 1) sum += (uint32_t)bytes[n - 1] << 8;
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

static int option(struct packet *p, unsigned type, const uint8_t *data, unsigned n)
{
    switch (type) {
    case INTERVAL:
        if (n != 4) return -1;
        p->interval = read32(data);
        return p->interval >= 10 && p->interval <= 86400 ? 0 : -1;
    case LOCATION:
        if (n != 4) return -1;
        p->x = (int16_t)read16(data);
        p->y = (int16_t)read16(data + 2);
        return p->x >= -180 && p->x <= 180 && p->y >= -90 && p->y <= 90 ? 0 : -1;
    case NAME:
        if (n == 0 || n >= sizeof p->name) return -1;
        memcpy(p->name, data, n);
        p->name[n] = 0;
        return 0;
    default: return type & 0x80 ? 0 : -1; /* unknown ones may be marked as harmless */
    }
}

static int options(struct packet *p, const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        unsigned type = *at++;
        if (type == END) return 0;
        if (type == PAD) continue;
        if (at == end) return -1;
        unsigned n = *at++;
        if (n > (unsigned)(end - at)) return -1;
        if (option(p, type, at, n)) return -1;
        at += n;
    }
    return 0;
}

static int decode(struct packet *p, const uint8_t *bytes, unsigned size)
{
    if (size < HEADER) return 1;
    if (bytes[0] >> 4 != VERSION) return 2;
    p->kind = bytes[0] & 15;
    p->flags = bytes[1];
    p->length = read16(bytes + 2);
    if (p->length < HEADER || p->length > size) return 3;
    if (checksum(bytes, p->length) != 0) return 4;
    if (p->kind > 3 || (p->flags & 0x0f)) return 5;
    if (options(p, bytes + HEADER, bytes + p->length)) return 6;
    return 0;
}

int main(void)
{
    uint8_t bytes[SIZE];
    struct packet p = {.interval = 60};
    clew_make_symbolic(bytes, sizeof bytes, "bytes");
    int fault = decode(&p, bytes, sizeof bytes);
    if (fault) return fault;
    clew_assert(p.length <= sizeof bytes && p.interval >= 10);
    if (p.kind == 3 && p.name[0] && p.x < 0) return 20;
    return p.flags & 0x80 ? 21 : 22;
}
