/* clew run
 * stdin: first line\n\na very long line that does not fit in the small buffer\nlast without newline
 * exit: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[16];
    int n = 0;
    if (!fgets(line, sizeof line, stdin)) return 1;
    printf("[%s]", line);
    int c = getchar();
    ungetc('x', stdin);
    printf("%d %c\n", c, getc(stdin));
    while (fgets(line, sizeof line, stdin)) {
        n++;
        line[strcspn(line, "\n")] = 0;
        printf("%d:%s\n", n, line);
        if (n == 4) break;
    }
    char *all = NULL;
    size_t size = 0;
    ssize_t got = getline(&all, &size, stdin);
    printf("%zd %s %d %zd\n", got, all, feof(stdin) != 0, getline(&all, &size, stdin));
    free(all);
    return 0;
}
