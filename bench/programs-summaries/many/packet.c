/* Records with a type, a length and a payload are checked one after the other, error codes are passed up. */
#include <clew.h>
#include <stdint.h>

#define BYTES 10

enum status { ST_OK, ST_SHORT, ST_TYPE, ST_LENGTH, ST_VALUE };

struct reader {
    const uint8_t *data;
    unsigned left;
};

struct totals {
    int temperature, humidity, count;
};

static enum status take(struct reader *r, uint8_t *out)
{
    if (r->left == 0) return ST_SHORT;
    *out = *r->data++;
    r->left--;
    return ST_OK;
}

static enum status read_temperature(struct reader *r, struct totals *t)
{
    uint8_t v;
    enum status s = take(r, &v);
    if (s != ST_OK) return s;
    if (v > 150) return ST_VALUE;
    t->temperature += v - 50;
    return ST_OK;
}

static enum status read_humidity(struct reader *r, struct totals *t)
{
    uint8_t v;
    enum status s = take(r, &v);
    if (s != ST_OK) return s;
    if (v > 100) return ST_VALUE;
    t->humidity += v;
    return ST_OK;
}

static enum status read_record(struct reader *r, struct totals *t)
{
    uint8_t type;
    enum status s = take(r, &type);
    if (s != ST_OK) return s;
    switch (type) {
    case 1: s = read_temperature(r, t); break;
    case 2: s = read_humidity(r, t); break;
    case 0: break; /* padding */
    default: return ST_TYPE;
    }
    if (s != ST_OK) return s;
    t->count++;
    return ST_OK;
}

int main(void)
{
    uint8_t data[BYTES];
    clew_make_symbolic(data, BYTES, "data");
    struct reader r = {data, BYTES};
    struct totals t = {0};
    while (r.left > 0) {
        enum status s = read_record(&r, &t);
        if (s == ST_SHORT) return 9;
        if (s != ST_OK) return s;
    }
    if (t.humidity > 400) return 7;
    clew_assert(t.temperature != 321);
    return 0;
}
