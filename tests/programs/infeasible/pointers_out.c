/* clew test
 * branches: 49 of 66
 * infeasible: 32 true
 * infeasible: 44 true
 * infeasible: 46 true
 * infeasible: 49 true
 * infeasible: 58 false
 * infeasible: 68 true
 * infeasible: 68 true
 * infeasible: 69 true
 * infeasible: 70 true
 * infeasible: 71 true
 * infeasible: 72 true
 * infeasible: 73 true
 * infeasible: 74 true
 * infeasible: 76 true
 * infeasible: 77 true
 * infeasible: 78 true
 * infeasible: 79 true
 * proved: at least 17
 *
 * Helpers that return only 0 or -1 and deliver their result through a pointer: it is set exactly if they return 0. */
extern int __VERIFIER_nondet_int(void);

struct reading {
    int value, scale;
    const char *unit;
};

static int read_sensor(int channel, int *result)
{
    if (result == 0) return -1;
    if (channel < 0 || channel > 3) return -1;
    int raw = __VERIFIER_nondet_int();
    if (raw < 0 || raw > 4095) return -1;
    *result = raw;
    return 0;
}

static int convert(int channel, struct reading *out)
{
    int raw = -1;
    int status = read_sensor(channel, &raw);
    if (status != 0 && status != -1) return -2;
    if (status < 0) {
        if (raw != -1) return -3;
        return -1;
    }
    if (raw < 0) return -4;
    out->value = raw / 16;
    out->scale = channel == 0 ? 10 : 1;
    out->unit = channel == 0 ? "mV" : "K";
    return 0;
}

static const struct reading *choose(const struct reading *a, const struct reading *b)
{
    if (!a) return b;
    if (!b) return a;
    return a->value >= b->value ? a : b;
}

int main(void)
{
    struct reading first = {0, 0, 0}, second = {0, 0, 0};
    int one = convert(__VERIFIER_nondet_int(), &first);
    int two = convert(__VERIFIER_nondet_int(), &second);
    if (one < -1 || two < -1) return 1;
    if (one > 0) return 2;
    if (first.value > 255) return 3;
    if (first.scale > 10) return 4;
    if (one == 0 && first.unit == 0) return 5;
    if (one == 0 && first.scale == 0) return 6;
    if (one == -1 && first.value != 0) return 7;
    const struct reading *best = choose(&first, two == 0 ? &second : 0);
    if (best == 0) return 8;
    if (best != &first && best != &second) return 9;
    if (best == &second && two != 0) return 10;
    if (best->value < first.value) return 11;
    return best->value > 200;
}
