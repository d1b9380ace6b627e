/* errno: the VM stores here too when native code has set the real one. */
#include "internal.h"

#include <errno.h>

int clew__errno;

int *__errno_location(void)
{
    return &clew__errno;
}
