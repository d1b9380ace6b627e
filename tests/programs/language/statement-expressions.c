/* clew run
 * exit: 0
 */
#include <stdio.h>

#define SWAP(a, b) do { __typeof__(a) swap_ = (a); (a) = (b); (b) = swap_; } while (0)
#define CLAMP(x, low, high) ({ int x_ = (x); x_ < (low) ? (low) : x_ > (high) ? (high) : x_; })

static int first_multiple(int of, int from)
{
    return ({ int i = from; while (i % of) i++; i; });
}

static int early(int x)
{
    int y = ({ if (x < 0) return -1; x * 2; });
    return y + 1;
}

int main(void)
{
    int a = 1, b = 2;
    SWAP(a, b);
    printf("%d %d %d %d %d\n", a, b, CLAMP(15, 0, 10), CLAMP(-5, 0, 10), CLAMP(a++, 0, 10));
    printf("%d %d %d %d\n", a, first_multiple(7, 30), early(-3), early(3));
    int elvis = a ?: 5, none = 0 ?: 6;
    printf("%d %d\n", elvis, none);
    int nested(int x) __attribute__((unused));
    struct { int x; } s = ({ __typeof__(s) t = {9}; t; });
    printf("%d %ld\n", s.x, sizeof(({ long q = 1; q; })));
    return 0;
}
