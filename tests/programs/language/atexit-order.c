/* clew run
 * exit: 5
 */
#include <stdio.h>
#include <stdlib.h>

static void third(void) { puts("third registered"); }
static void late(void) { puts("registered while exiting"); }
static void second(void) { puts("second registered"); atexit(late); }
static void first(void) { puts("first registered, runs last"); }

__attribute__((constructor)) static void before(void) { puts("constructor"); }
__attribute__((constructor(101))) static void even_before(void) { puts("constructor 101"); }
__attribute__((destructor)) static void after(void) { puts("destructor"); }

int main(void)
{
    atexit(first);
    atexit(second);
    atexit(third);
    printf("no newline at the end of main");
    exit(5);
}
