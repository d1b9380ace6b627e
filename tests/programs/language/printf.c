/* clew run
 * exit: 0
 */
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

int main(void)
{
    printf("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|\n", 42, 42, 42, 42, 42, 42, 42, 42, 42);
    printf("%d|%i|%u|%o|%x|%X|%#o|%#x|%#X|\n", INT_MIN, -1, UINT_MAX, 8, 255, 255, 8, 255, 255);
    printf("%hhd|%hd|%ld|%lld|%jd|%zd|%td|\n", 300, 70000, LONG_MIN, LLONG_MAX, (intmax_t)-5, sizeof(int), (ptrdiff_t)-9);
    printf("%hhu|%hu|%lu|%llx|%#llo|\n", 300, 70000, ULONG_MAX, 0xdeadbeefcafeull, 511ull);
    printf("%.0d|%.0x|%5.0d|%+.0d|\n", 0, 0, 0, 0);
    printf("%s|%10s|%-10s|%.2s|%10.3s|%.0s|\n", "text", "text", "text", "text", "text", "text");
    printf("%c|%5c|%-5c|%%|\n", 'a', 'b', 'c');
    printf("%*d|%-*d|%.*d|%.*s|%*s|\n", 6, 1, 6, 2, 4, 3, 2, "abc", -6, "x");
    printf("%p|%10p|%p\n", (void *)0x1234, (void *)0xff, (void *)0);
    int n1, n2;
    printf("12345%n678%n\n", &n1, &n2);
    printf("%d %d\n", n1, n2);
    printf("%2$s %1$d %2$s\n", 7, "swap");
    printf("%" PRId64 " %" PRIu32 " %" PRIx16 "\n", (int64_t)-1, (uint32_t)7, (uint16_t)0xabcd);
    char small[5];
    int n = snprintf(small, sizeof small, "%d-%d", 1234, 5678);
    printf("%d %s %d\n", n, small, snprintf(0, 0, "%s", "counted"));
    printf("%ls|%lc|%s\n", L"wide", L'w', (char *)"");
    printf("% 05d|%+05d|%-05d|%0+6.2f|%x\n", 7, 7, 7, 2.5, -1);
    fprintf(stderr, "to standard error %d\n", 1);
    fputs("and again\n", stderr);
    return printf("") + fflush(stdout);
}
