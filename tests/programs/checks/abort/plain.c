/* clew run
 * bug: abort 9
 */
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc == 1)
        abort();
    return 0;
}
