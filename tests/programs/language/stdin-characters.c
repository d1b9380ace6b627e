/* clew run
 * stdin: Hello, World!\n\ttabs and 123\n\0end
 * exit: 0
 */
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int counts[256] = {0}, c, lines = 0, words = 0, in = 0;
    while ((c = getchar()) != EOF) {
        counts[c]++;
        lines += c == '\n';
        if (isspace(c)) in = 0;
        else if (!in) in = 1, words++;
        putchar(toupper(c));
    }
    printf("\n%d %d %d %d %d\n", lines, words, counts['l'], counts[0], feof(stdin) != 0);
    return getchar() == EOF ? 0 : 1;
}
