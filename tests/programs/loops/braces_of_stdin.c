/* clew test
 * branches: 16 of 16
 *
 * Standard input with braces: ten deep, all closed, sixteen pairs. */
#include <stdio.h>

int main(void)
{
    int c, depth = 0, deepest = 0, pairs = 0;
    while ((c = getchar()) != EOF) {
        if (c == '{') {
            depth++;
            if (depth > deepest) deepest = depth;
        } else if (c == '}') {
            if (depth == 0) return 3;
            depth--;
            pairs++;
        }
    }
    if (depth != 0) return 2;
    if (deepest == 10 && pairs == 16) return 1;
    return 0;
}
