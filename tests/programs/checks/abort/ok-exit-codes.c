/* clew run
 * exit: 134
 */
#include <stdlib.h>

static void on_exit_do(void)
{
    if (getenv("CLEW_NO_SUCH_VARIABLE_AT_ALL")) abort();
}

int main(void)
{
    atexit(on_exit_do);
    exit(134);
}
