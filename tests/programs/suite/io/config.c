/* clew test --file app.conf:8
 * branches: 17 of 18
 * infeasible: 15 false
 * tests: at most 8
 *
 * Reads settings of the form k=v from a file that is there; a line without = is an error, one that opens with # a comment. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[16];
    int port = 0, debug = 0;
    FILE *file = fopen("app.conf", "r");
    if (!file) return 2;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        char *equals = strchr(line, '=');
        if (!equals) {
            fclose(file);
            return 1;
        }
        if (line[0] == 'p') port = equals[1] - '0';
        if (line[0] == 'd' && equals[1] == 'y') debug = 1;
    }
    fclose(file);
    if (port > 0 && debug) printf("port %d, debugging\n", port);
    return 0;
}
