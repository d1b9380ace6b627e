/* emit: tests of programs that look at the clock.
 *
 * While the machine searches, the clock stands still, and sleeping takes no time (models/clock.c).  A test sees the same: the linker lets calls of time() lead
 * to __wrap_time (-Wl,--wrap=time), in all objects and in tables of functions, and the sources are compiled as they are.  clew_clock.c has these
 * functions, those that the sources call.  So a test passes at any time of day, and a suite does not wait. */
#include "emit/emit_int.h"

typedef struct ClockFunction {
    const char *name, *code; /* what stands behind "__wrap_NAME"; SECONDS is a macro of the file */
    const char *result;
} ClockFunction;

static const ClockFunction FUNCTIONS[] = {
    {"time", "(time_t *out)\n{\n    if (out) *out = SECONDS;\n    return SECONDS;\n}\n", "time_t"},
    {"clock", "(void)\n{\n    return (clock_t)SECONDS * 1000000;\n}\n", "clock_t"},
    {"gettimeofday",
     "(struct timeval *out, void *zone)\n{\n    if (zone) memset(zone, 0, sizeof(struct timezone));\n"
     "    *out = (struct timeval){SECONDS, 0};\n    return 0;\n}\n",
     "int"},
    {"clock_gettime",
     "(clockid_t id, struct timespec *out)\n{\n    (void)id;\n    *out = (struct timespec){SECONDS, 0};\n    return 0;\n}\n", "int"},
    {"timespec_get",
     "(struct timespec *out, int base)\n{\n    if (base != TIME_UTC) return 0;\n    *out = (struct timespec){SECONDS, 0};\n"
     "    return base;\n}\n",
     "int"},
    {"sleep", "(unsigned seconds)\n{\n    (void)seconds;\n    return 0;\n}\n", "unsigned"},
    {"usleep", "(useconds_t microseconds)\n{\n    (void)microseconds;\n    return 0;\n}\n", "int"},
    {"nanosleep", "(const struct timespec *wanted, struct timespec *left)\n{\n    (void)wanted;\n    (void)left;\n    return 0;\n}\n",
     "int"},
};

static bool is_called(const Decls *decls, const char *name)
{
    for (uint32_t i = 0; i < decls->function_count; i++) {
        const CFunction *caller = &decls->functions[i];
        for (uint32_t k = 0; caller->defined && k < caller->call_count; k++) {
            const CFunction *callee = &decls->functions[caller->calls[k]];
            if (!callee->defined && callee->in_system_header && strcmp(callee->name, name) == 0) return true;
        }
    }
    return false;
}

bool emit__looks_at_clock(const Decls *decls, const EmitOptions *options)
{
    for (size_t i = 0; options->clock && i < COUNT_OF(FUNCTIONS); i++)
        if (is_called(decls, FUNCTIONS[i].name)) return true;
    return false;
}

void emit__wrap_clock(const Decls *decls, const EmitOptions *options, EmitLibraries *libraries)
{
    for (size_t i = 0; options->clock && i < COUNT_OF(FUNCTIONS); i++)
        if (is_called(decls, FUNCTIONS[i].name)) vec_push(libraries, mem_format("-Wl,--wrap=%s", FUNCTIONS[i].name));
}

void emit__clock_code(const Decls *decls, const EmitOptions *options, StrBuf *out)
{
    strbuf_addf(out,
                "/* The clock stands still in tests; the linker lets calls of these functions lead here (-Wl,--wrap=NAME). */\n"
                "#define _GNU_SOURCE\n"
                "#include <string.h>\n"
                "#include <sys/time.h>\n"
                "#include <time.h>\n"
                "#include <unistd.h>\n"
                "\n"
                "#define SECONDS %lld /* since 1970 */\n",
                (long long)options->clock);
    for (size_t i = 0; i < COUNT_OF(FUNCTIONS); i++) {
        const ClockFunction *f = &FUNCTIONS[i];
        size_t parameters = strcspn(f->code, "\n");
        if (is_called(decls, f->name))
            strbuf_addf(out, "\n%s __wrap_%s%.*s;\n%s __wrap_%s%s", f->result, f->name, (int)parameters, f->code, f->result, f->name,
                        f->code);
    }
}
