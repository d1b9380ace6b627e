/* clew run
 * bug: invalid-free 14
 */
#include <stdlib.h>

static const char *name(int which)
{
    return which ? "static" : (char *)malloc(7);
}

int main(int argc, char **argv)
{
    free((void *)name(0));
    free((void *)name(argc));
    return 0;
}
