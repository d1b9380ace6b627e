/* Integer arithmetic of stdlib.h and inttypes.h. */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>

int abs(int value)
{
    return value < 0 ? -value : value;
}

long labs(long value)
{
    return value < 0 ? -value : value;
}

long long llabs(long long value)
{
    return value < 0 ? -value : value;
}

intmax_t imaxabs(intmax_t value)
{
    return value < 0 ? -value : value;
}

div_t div(int a, int b)
{
    return (div_t){a / b, a % b};
}

ldiv_t ldiv(long a, long b)
{
    return (ldiv_t){a / b, a % b};
}

lldiv_t lldiv(long long a, long long b)
{
    return (lldiv_t){a / b, a % b};
}

imaxdiv_t imaxdiv(intmax_t a, intmax_t b)
{
    return (imaxdiv_t){a / b, a % b};
}

/* Base 64 with ./0-9A-Za-z, least significant digit first. */
long a64l(const char *s)
{
    unsigned result = 0;
    for (int i = 0; i < 6; i++) {
        unsigned c = (unsigned char)s[i];
        unsigned digit = c - '.' < 12 ? c - '.' : c - 'A' < 26 ? c - 'A' + 12 : c - 'a' < 26 ? c - 'a' + 38 : 64;
        if (digit == 64) break;
        result |= digit << (6 * i);
    }
    return result;
}

char *l64a(long value)
{
    static char text[7];
    unsigned rest = (unsigned)value;
    int n = 0;
    for (; rest; rest >>= 6) {
        unsigned digit = rest & 63;
        text[n++] = (char)(digit < 12 ? digit + '.' : digit < 38 ? digit - 12 + 'A' : digit - 38 + 'a');
    }
    text[n] = 0;
    return text;
}
