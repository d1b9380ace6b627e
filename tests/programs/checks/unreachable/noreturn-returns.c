/* clew run
 * bug: unreachable 10
 */
#include <stdlib.h>

_Noreturn static void stop(int status) { if (status) exit(status); }

int main(int argc, char **argv)
{
    stop(argc - 1);
}
