/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <uchar.h>
#include <wchar.h>

int main(void)
{
    wchar_t wide[] = L"wide \u00e9";
    char16_t u16[] = u"\U0001F600x";
    char32_t u32[] = U"\U0001F600x";
    const char *utf8 = u8"caf\u00e9";
    printf("%zu %zu %zu %x %x\n", sizeof wide / sizeof *wide, sizeof u16 / 2, sizeof u32 / 4, u16[0], u32[0]);
    int n = 0;
    while (utf8[n]) n++;
    printf("%d %d %d\n", n, (unsigned char)utf8[3], wide[5]);
    printf("%d '%c' %s\n", 'ab' == ('a' << 8 | 'b'), '\101', "a" "b" "\x41" "B\t\"\\");
    return 0;
}
