/* Run-length decoding into a fixed buffer with a wrong limit. */
#include <clew.h>
#include <string.h>

#define IN 8
#define OUT 12

struct output {
    unsigned char data[OUT];
    int used;
};

static int emit(struct output *o, unsigned char value, int count)
{
    if (o->used + count > OUT + 1) return -1; /* off by one */
    for (int i = 0; i < count; i++) o->data[o->used++] = value;
    return 0;
}

static int decode_one(const unsigned char *in, int left, struct output *o)
{
    if (in[0] < 0x80) return emit(o, in[0], 1) ? -1 : 1;
    if (left < 2) return -2;
    int count = in[0] & 0x7f;
    if (count == 0) return -3;
    if (count > 6) return -4;
    return emit(o, in[1], count) ? -1 : 2;
}

static int decode(const unsigned char *in, int n, struct output *o)
{
    int at = 0;
    while (at < n) {
        int used = decode_one(in + at, n - at, o);
        if (used < 0) return used;
        at += used;
    }
    return o->used;
}

int main(void)
{
    unsigned char in[IN];
    struct output o;
    memset(&o, 0, sizeof o);
    clew_make_symbolic(in, IN, "in");
    int n = decode(in, IN, &o);
    if (n < 0) return -n;
    return n > 10 ? 10 : 0;
}
