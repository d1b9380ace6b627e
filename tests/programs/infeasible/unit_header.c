/* clew test
 * branches: 33 of 46
 * infeasible: 31 true
 * infeasible: 40 true
 * infeasible: 42 true
 * infeasible: 43 true
 * infeasible: 44 true
 * infeasible: 44 true
 * infeasible: 46 true
 * infeasible: 47 default
 * infeasible: 55 true
 * infeasible: 55 true
 * infeasible: 56 true
 * infeasible: 57 true
 * infeasible: 58 true
 *
 * A unit without main: the fields of a packet's header are taken apart from its parameters, and checked again after they were checked or masked. */
struct header {
    unsigned version, length, kind;
    unsigned char ttl;
    int fragment;
};

static int parse(unsigned word, unsigned options, struct header *h)
{
    h->version = word >> 28;
    h->length = (word >> 16) & 0xfff;
    h->kind = options % 5;
    h->ttl = (unsigned char)(options >> 8);
    h->fragment = (int)(word & 0x1fff) - 4096;
    if (h->version > 15) return -1;
    if (h->length < 20) return -2;
    return 0;
}

int classify(unsigned word, unsigned options, int hops)
{
    struct header h = {0, 0, 0, 0, 0};
    int status = parse(word, options, &h);
    if (status > 0) return 1;
    if (status < 0) return 2;
    if (h.length > 4095) return 3;
    if (h.length < 20) return 4;
    if (h.fragment < -4096 || h.fragment > 4095) return 5;
    if (hops < 0 || hops > h.ttl) return 6;
    if (hops > 255) return 7;
    switch (h.kind) {
    case 0: return h.ttl > 64 ? 10 : 11;
    case 1: break;
    case 2: hops = 255 - hops; break;
    case 3: return h.fragment == 0 ? 12 : 13;
    case 4: hops++; break;
    default: return 8;
    }
    if (h.kind == 0 || h.kind == 3) return 14;
    if (hops > 256) return 15;
    if (h.kind == 1 && hops > h.ttl) return 16;
    if (h.kind == 2 && hops < 0) return 17;
    return hops == 0;
}
