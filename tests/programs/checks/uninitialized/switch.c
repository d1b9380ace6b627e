/* clew run
 * bug: uninitialized 15
 */
#include <stdlib.h>

struct token {
    int kind, value;
};

int main(void)
{
    struct token *t = malloc(sizeof *t);
    t->value = 1;
    int r = 0;
    switch (t->kind) {
    case 1: r = 1; break;
    case 2: r = 2; break;
    }
    free(t);
    return r - r;
}
