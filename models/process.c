/* Start and end of the program.  clew__start is where the VM begins; it never returns. */
#include "internal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

extern void clew__flush_all(void) WEAK;

char **__environ;
extern char **environ __attribute__((alias("__environ")));
extern char **_environ __attribute__((alias("__environ")));
char *program_invocation_name = (char *)"", *program_invocation_short_name = (char *)"";
extern char *__progname_full __attribute__((alias("program_invocation_name")));
extern char *__progname __attribute__((alias("program_invocation_short_name")));

enum { BLOCK = 32 };
typedef enum Kind { PLAIN, WITH_ARGUMENT, WITH_STATUS } Kind;
typedef struct Handler {
    Kind kind;
    union {
        void (*plain)(void);
        void (*with_argument)(void *);
        void (*with_status)(int, void *);
    } call;
    void *argument;
} Handler;
typedef struct Handlers {
    struct Handlers *older;
    int count;
    Handler handlers[BLOCK];
} Handlers;

static Handlers first_at_exit, *at_exit_list = &first_at_exit;
static Handlers first_at_quick_exit, *at_quick_exit_list = &first_at_quick_exit;

static int add(Handlers **list, Handler handler)
{
    if ((*list)->count == BLOCK) {
        Handlers *block = clew__malloc(sizeof *block);
        if (!block) return -1;
        block->older = *list;
        block->count = 0;
        *list = block;
    }
    (*list)->handlers[(*list)->count++] = handler;
    return 0;
}

/* Newest first.  A handler leaves the list before it runs, so that it may itself call exit or add others. */
static void run(Handlers **list, int status)
{
    while (*list) {
        if (!(*list)->count) {
            if (!(*list)->older) return;
            *list = (*list)->older;
            continue;
        }
        Handler handler = (*list)->handlers[--(*list)->count];
        switch (handler.kind) {
        case PLAIN: handler.call.plain(); break;
        case WITH_ARGUMENT: handler.call.with_argument(handler.argument); break;
        case WITH_STATUS: handler.call.with_status(status, handler.argument); break;
        }
    }
}

int atexit(void (*function)(void))
{
    return add(&at_exit_list, (Handler){.kind = PLAIN, .call.plain = function});
}

int on_exit(void (*function)(int, void *), void *argument)
{
    return add(&at_exit_list, (Handler){.kind = WITH_STATUS, .call.with_status = function, .argument = argument});
}

int __cxa_atexit(void (*function)(void *), void *argument, void *library);
int __cxa_atexit(void (*function)(void *), void *argument, void *library)
{
    (void)library;
    return add(&at_exit_list, (Handler){.kind = WITH_ARGUMENT, .call.with_argument = function, .argument = argument});
}

int at_quick_exit(void (*function)(void))
{
    return add(&at_quick_exit_list, (Handler){.kind = PLAIN, .call.plain = function});
}

_Noreturn void clew__leave(int status)
{
    run(&at_exit_list, status);
    for (unsigned i = 0; clew__destructor_at(i); i++) clew__destructor_at(i)(0, NULL, NULL);
    if (clew__flush_all) clew__flush_all();
    clew__exit(status & 0xff);
}

void exit(int status)
{
    clew__leave(status);
}

void quick_exit(int status)
{
    run(&at_quick_exit_list, status);
    clew__exit(status & 0xff);
}

void _exit(int status)
{
    clew__exit(status & 0xff);
}

void _Exit(int status)
{
    clew__exit(status & 0xff);
}

extern int main(int argc, char **argv, char **envp);

/* How many of the arguments that are inputs there are. */
static int with_inputs(int argc, char **argv)
{
    unsigned most = clew__argument_limit(), i = 0;
    if (!most) return argc;
    unsigned more = (unsigned)clew__symbolic_value(32, 'u', "argc");
    clew__assume(more <= most);
    while (i < more) i++;
    argv[argc + (int)i] = NULL;
    return argc + (int)i;
}

_Noreturn void clew__start(int argc, char **argv, char **envp);
_Noreturn void clew__start(int argc, char **argv, char **envp)
{
    static char unset[1];
    for (unsigned i = 0;; i++) {
        int set = clew__variable_is_set(i);
        if (set < 0) break;
        if (!set) envp[i] = unset;
    }
    argc = with_inputs(argc, argv);
    __environ = envp;
    if (argc > 0 && argv[0]) {
        program_invocation_name = program_invocation_short_name = argv[0];
        for (char *p = argv[0]; *p; p++)
            if (*p == '/') program_invocation_short_name = p + 1;
    }
    for (unsigned i = 0; clew__constructor_at(i); i++) clew__constructor_at(i)(argc, argv, envp);
    clew__leave(main(argc, argv, envp));
}
