/* clew run
 * exit: 0
 */
#include <stdio.h>

static inline void barrier(void)
{
    __asm__ volatile("" ::: "memory");
}

int main(void)
{
    int x = 5;
    barrier();
    __asm__("" : "+r"(x));
    __asm__ volatile("" : : "r"(x), "m"(x));
    barrier();
    printf("%d\n", x);
    return 0;
}
