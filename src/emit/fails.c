/* emit: tests in which functions of the library fail (--fail).
 *
 *     clew_fail("malloc", 2);          the second call of malloc from here on fails
 *     int result = copy(text);
 *     clew_check(result == -1);
 *
 * The linker lets calls of malloc lead to __wrap_malloc (-Wl,--wrap=malloc), in all objects and in tables of functions; the sources are compiled as
 * they are.  clew_fail.c has these functions.  What the test itself allocates stands before clew_fail and is not counted. */
#include "emit/emit_int.h"

#include <stdlib.h>

static const struct {
    const char *name, *result, *parameters, *arguments, *failure, *error, *done;
} FUNCTIONS[] = {
#define FAIL(name, result, parameters, arguments, failure, error, done) {#name, #result, #parameters, #arguments, #failure, #error, #done},
#include "decl/fails.def"
#undef FAIL
};

static const char head[] =
    "/* Functions of the library that fail where a test says so; the linker lets their calls lead here (-Wl,--wrap=NAME). */\n"
    "#include \"clew_test.h\"\n"
    "\n"
    "#include <errno.h>\n"
    "#include <fcntl.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <sys/types.h>\n"
    "#include <unistd.h>\n";

static void add_function(size_t i, StrBuf *out)
{
    const char *name = FUNCTIONS[i].name, *result = FUNCTIONS[i].result;
    strbuf_addf(out, "\n%s __real_%s%s;\n%s __wrap_%s%s;\n", result, name, FUNCTIONS[i].parameters, result, name, FUNCTIONS[i].parameters);
    strbuf_addf(out, "%s __wrap_%s%s\n{\n    if (!clew_fails(\"%s\")) return __real_%s%s;\n", result, name, FUNCTIONS[i].parameters, name,
                name, FUNCTIONS[i].arguments);
    if (FUNCTIONS[i].done[0] == '1') strbuf_addf(out, "    (void)__real_%s%s;\n", name, FUNCTIONS[i].arguments);
    if (strcmp(FUNCTIONS[i].error, "0") != 0) strbuf_addf(out, "    errno = %s;\n", FUNCTIONS[i].error);
    strbuf_addf(out, "    return %s;\n}\n", FUNCTIONS[i].failure);
}

void emit__fails_code(const EmitOptions *options, StrBuf *out)
{
    strbuf_add(out, head);
    for (uint32_t k = 0; k < options->fail_count; k++)
        for (size_t i = 0; i < COUNT_OF(FUNCTIONS); i++)
            if (strcmp(options->fails[k], FUNCTIONS[i].name) == 0) add_function(i, out);
}
