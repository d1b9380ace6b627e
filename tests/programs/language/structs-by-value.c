/* clew run
 * exit: 0
 */
#include <stdio.h>

#define SIZED(N) \
    typedef struct { unsigned char b[N]; } S##N; \
    static S##N make##N(unsigned seed) { S##N s; for (int i = 0; i < N; i++) s.b[i] = (unsigned char)(seed + i * 7); return s; } \
    static unsigned sum##N(int before, S##N s, char after) { unsigned r = before * 31 + after; for (int i = 0; i < N; i++) r = r * 33 + s.b[i]; s.b[0] = 0; return r; } \
    static void test##N(void) { S##N s = make##N(N); unsigned a = sum##N(1, s, 'x'), b = sum##N(2, make##N(9), 'y'); printf("%d: %u %u %u\n", N, a, b, s.b[0]); }

SIZED(1) SIZED(2) SIZED(3) SIZED(4) SIZED(5) SIZED(6) SIZED(7) SIZED(8) SIZED(9) SIZED(11) SIZED(12) SIZED(15) SIZED(16) SIZED(17) SIZED(24) SIZED(31)
SIZED(32) SIZED(33) SIZED(48) SIZED(64)

int main(void)
{
    test1(), test2(), test3(), test4(), test5(), test6(), test7(), test8(), test9(), test11(), test12(), test15(), test16(), test17(), test24(), test31();
    test32(), test33(), test48(), test64();
    return 0;
}
