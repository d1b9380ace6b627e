/* clew run -- 12 -7 0x10 "two words" "" --flag -- last
 * exit: 9
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    long sum = 0;
    for (int i = 1; i < argc; i++) {
        char *end;
        long n = strtol(argv[i], &end, 0);
        if (end != argv[i] && !*end) sum += n;
        printf("%d:%s:%zu\n", i, argv[i], strlen(argv[i]));
    }
    printf("%ld %d\n", sum, argv[argc] == NULL);
    argv[1][0] = 'X';
    printf("%s\n", argv[1]);
    return argc;
}
