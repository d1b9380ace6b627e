/* clew run
 * exit: 0
 */
#include <stdio.h>

extern int order[8], used;

__attribute__((constructor)) static void from_main(void) { order[used++] = 1; }
__attribute__((constructor(200))) static void early(void) { order[used++] = 2; }

int main(void)
{
    for (int i = 0; i < used; i++) printf("%d ", order[i]);
    puts("");
    return 0;
}
