/* clew test --argv 3,3
 * branches: 18 of 18
 * tests: at most 10
 *
 * Options by hand: -v, -nNUMBER, -- ends them, everything else is a file name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int verbose = 0, count = 1, files = 0, options = 1;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!options || word[0] != '-') {
            files++;
        } else if (strcmp(word, "--") == 0) {
            options = 0;
        } else if (strcmp(word, "-v") == 0) {
            verbose = 1;
        } else if (word[1] == 'n') {
            count = atoi(word + 2);
            if (count < 1) return 3;
        } else {
            return 2;
        }
    }
    if (files == 0) return 1;
    if (verbose) printf("%d files, %d times\n", files, count);
    return 0;
}
