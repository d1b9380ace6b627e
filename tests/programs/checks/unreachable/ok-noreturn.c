/* clew run
 * exit: 9
 */
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf back;

_Noreturn static void leave(int status)
{
    exit(status);
}

_Noreturn static void jump(void)
{
    longjmp(back, 1);
}

int main(void)
{
    if (!setjmp(back)) jump();
    leave(9);
}
