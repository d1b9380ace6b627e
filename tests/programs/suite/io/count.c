/* clew test
 * branches: 22 of 22
 *
 * Counts lines and words, of the standard input or of the file that an argument names.  Nothing says what the program reads but its code. */
#include <stdio.h>
#include <string.h>

static int count(FILE *in, int *words)
{
    int c, lines = 0, in_word = 0;
    while ((c = getc(in)) != EOF) {
        if (c == '\n') lines++;
        if (c == ' ' || c == '\n') {
            in_word = 0;
        } else if (!in_word) {
            in_word = 1;
            ++*words;
        }
    }
    return lines;
}

int main(int argc, char **argv)
{
    int words = 0, first = 1, brief = 0;
    if (argc > 1 && strcmp(argv[1], "-w") == 0) {
        brief = 1;
        first = 2;
    }
    FILE *in = first < argc ? fopen(argv[first], "r") : stdin;
    if (!in) {
        fprintf(stderr, "cannot open %s\n", argv[first]);
        return 1;
    }
    int lines = count(in, &words);
    if (brief) printf("%d\n", words);
    else printf("%d %d\n", lines, words);
    if (words > 3) puts("many");
    return 0;
}
