/* Functions of the library that fail where an input says so (--fail): front/fails.c lets the calls in a program lead here. */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FAIL(name, result, parameters, arguments, failure, error, done) \
    result clew__failing_##name parameters; \
    result clew__failing_##name parameters \
    { \
        if (!clew__may_fail(#name "() fails")) return name arguments; \
        if (done) (void)name arguments; \
        clew__errno = error ? error : clew__errno; \
        return (result)failure; \
    }
#include "../src/decl/fails.def"
#undef FAIL
