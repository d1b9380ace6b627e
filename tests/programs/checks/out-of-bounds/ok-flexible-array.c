/* clew run
 * exit: 0
 */
#include <stdlib.h>
#include <string.h>

struct text {
    size_t n;
    char bytes[];
};

int main(void)
{
    struct text *t = malloc(sizeof *t + 6);
    t->n = 6;
    memcpy(t->bytes, "hello", 6);
    t = realloc(t, sizeof *t + 12);
    strcat(t->bytes, " clew!");
    int ok = strcmp(t->bytes, "hello clew!") == 0 && strlen(t->bytes) == 11;
    free(t);
    return !ok;
}
