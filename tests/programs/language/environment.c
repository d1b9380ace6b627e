/* clew run
 * env: CLEW_TEST_COLOR=dark red
 * env: CLEW_TEST_EMPTY=
 * exit: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(void)
{
    const char *color = getenv("CLEW_TEST_COLOR"), *empty = getenv("CLEW_TEST_EMPTY"), *none = getenv("CLEW_TEST_NONE");
    printf("%s [%s] %d\n", color, empty, none == NULL);
    int found = 0;
    for (char **e = environ; *e; e++) found += strncmp(*e, "CLEW_TEST_", 10) == 0;
    setenv("CLEW_TEST_NONE", "now", 1);
    printf("%d %s\n", found, getenv("CLEW_TEST_NONE"));
    unsetenv("CLEW_TEST_COLOR");
    printf("%d\n", getenv("CLEW_TEST_COLOR") == NULL);
    return 0;
}
