/* clew run
 * exit: 0
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct big {
    char pad[100];
    int field;
};

int main(void)
{
    struct big *p = 0;
    size_t size = sizeof p->field + offsetof(struct big, field);
    char *grown = realloc(NULL, 10);
    free(p);
    if (p && p->field) return 1;
    if (p == 0 || p->field) size++;
    int n = grown != 0;
    free(grown);
    return (int)size - 105 + n - 1;
}
