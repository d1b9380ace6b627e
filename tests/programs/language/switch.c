/* clew run
 * exit: 0
 */
#include <limits.h>
#include <stdio.h>

static int dense(int x)
{
    switch (x) {
    case 0: return 10;
    case 1: return 11;
    case 2: case 3: return 12;
    case 4: x++; /* falls through */
    case 5: return x * 2;
    case 6: return 16;
    default: return -1;
    }
}

static int sparse(long x)
{
    switch (x) {
    case LONG_MIN: return 1;
    case -1000000: return 2;
    case -1: return 3;
    case 0: return 4;
    case 1L << 40: return 5;
    case LONG_MAX: return 6;
    }
    return 0;
}

static const char *range(unsigned char c)
{
    switch (c) {
    case 'a' ... 'z': return "lower";
    case 'A' ... 'Z': return "upper";
    case '0' ... '9': return "digit";
    case 0: return "nul";
    case 200 ... 255: return "high";
    default: return "other";
    }
}

static int nested(int a, int b)
{
    int r = 0;
    switch (a) {
    default: r = 100; break;
    case 1:
        switch (b) {
        case 1: r = 11; break;
        case 2: r = 12; goto out;
        }
        r++;
        break;
    case 2:
        for (int i = 0; i < 5; i++) {
            switch (i) {
            case 3: continue;
            case 4: break;
            default: r += i + b;
            }
        }
    }
out:
    return r;
}

/* Copies n bytes with the loop entered in the middle. */
static void duff(char *to, const char *from, int n)
{
    int rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--rounds > 0);
    }
}

int main(void)
{
    for (int i = -2; i < 9; i++) printf("%d ", dense(i));
    long keys[] = {LONG_MIN, LONG_MIN + 1, -1000000, -1, 0, 1, 1L << 40, LONG_MAX};
    for (int i = 0; i < 8; i++) printf("%d ", sparse(keys[i]));
    puts("");
    const char *text = "aZ5 \xff";
    for (int i = 0; i < 6; i++) printf("%s ", range(text[i]));
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) printf("%d ", nested(a, b));
    char out[20] = "";
    duff(out, "duff's device", 14);
    puts(out);
    switch (7) { int unreached; case 7: unreached = 3; printf("%d\n", unreached); }
    switch (sizeof(int)) case 4: puts("four");
    return 0;
}
