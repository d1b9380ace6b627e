/* clew run */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char line[32];
    setenv("CLEW_POPEN", "of the guest", 1);
    FILE *in = popen("echo $CLEW_POPEN; exit 3", "r");
    if (fgets(line, sizeof line, in)) printf("%s", line);
    printf("%d\n", pclose(in));
    fflush(stdout);
    FILE *first = popen("cat", "w"), *second = popen("cat >/dev/null", "w");
    fputs("to the first\n", first);
    int status = pclose(first); /* must not wait for the second */
    fputs("to the second\n", second);
    printf("%d %d\n", status, pclose(second));
    return 0;
}
