/* clew test --stdin 6
 * branches: 16 of 16
 * bug: out-of-bounds 15
 * tests: at most 8
 *
 * Are the brackets balanced?  There is room for four of them, and five may come. */
#include <stdio.h>

int main(void)
{
    char open[4];
    int depth = 0, c;
    while ((c = getchar()) != EOF) {
        if (c == '(' || c == '[') {
            open[depth++] = (char)c;
        } else if (c == ')' || c == ']') {
            if (depth == 0) return 1;
            depth--;
            if ((c == ')') != (open[depth] == '(')) return 2;
        }
    }
    if (depth > 0) return 3;
    puts("balanced");
    return 0;
}
