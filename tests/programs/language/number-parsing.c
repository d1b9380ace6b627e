/* clew run
 * exit: 0
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *texts[] = {"42", "  -17xyz", "+0x1F", "0777", "0b1", "", "abc", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "zz", "0x", "- 5"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (int base = 0; base <= 36; base += base == 0 ? 10 : base == 10 ? 6 : 20) {
            char *end;
            errno = 0;
            long l = strtol(texts[i], &end, base);
            printf("%ld:%d:%d ", l, (int)(end - texts[i]), errno);
            errno = 0;
            unsigned long u = strtoul(texts[i], &end, base);
            printf("%lu:%d:%d ", u, (int)(end - texts[i]), errno);
        }
        printf("%d %ld\n", atoi(texts[i]) & 0xffff, atol(texts[i]) & 0xffff);
    }
    const char *floats[] = {"3.25", "-1e10rest", ".5", "5.", "1e400", "1e-400", "inf", "-NaN", "0x1.8p3", "e5", "1e", "123456789012345678901234567890", "0.1"};
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++) {
        char *end;
        errno = 0;
        double d = strtod(floats[i], &end);
        printf("%.17g:%d:%d %.9g %.20Lg\n", d, (int)(end - floats[i]), errno, strtof(floats[i], 0), strtold(floats[i], 0));
    }
    printf("%g %lld %llu %ld\n", atof("2.75"), strtoll("-5", 0, 10), strtoull("5", 0, 10), labs(-3));
    div_t q = div(-17, 5);
    ldiv_t r = ldiv(17, -5);
    printf("%d %d %ld %ld\n", q.quot, q.rem, r.quot, r.rem);
    int a, b, n = sscanf("12 abc 3.5 0x1f", "%d %*s", &a);
    char word[10];
    double d;
    printf("%d %d ", n, a);
    n = sscanf("12:34 word 2.5e1 %", "%d:%d %9s %lf %%", &a, &b, word, &d);
    printf("%d %d %d %s %g\n", n, a, b, word, d);
    unsigned x;
    char set[10], c;
    n = sscanf("ff-abc123Z", "%x-%[a-z]%3d%c", &x, set, &a, &c);
    printf("%d %u %s %d %c\n", n, x, set, a, c);
    return 0;
}
