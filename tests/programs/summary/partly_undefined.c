/* clew explore
 * branches: 12 of 12
 * complete: yes
 *
 * What a function leaves behind is partly uninitialised: the part that is not can be looked at, whichever path it comes from. */
#include <clew.h>

typedef struct Optional {
    _Bool has;
    int value;
} Optional;

static Optional half(int a, int b)
{
    Optional result;
    if (b == 0) {
        result.has = 0;
        return result;
    }
    result.has = 1;
    result.value = a / 2;
    return result;
}

static void put(char *out, unsigned at, char c)
{
    if (c > 5) out[at] = c;
    else out[at] = 1;
}

int main(void)
{
    char out[2];
    unsigned at = clew_uint("at");
    clew_assume(at < 2);
    put(out, at, clew_char("c"));
    if (at == 0) {
        if (out[0] == '=') return 3;
        return 5;
    }
    Optional o = half(clew_int("a"), clew_int("b"));
    if (!o.has) return 1;
    return o.value == 21 ? 2 : 4;
}
