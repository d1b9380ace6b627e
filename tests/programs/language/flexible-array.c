/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet {
    unsigned short length;
    char kind;
    int data[];
};
static struct { int n; int values[]; } fixed = {3, {10, 20, 30}};

static struct packet *make(int n)
{
    struct packet *p = malloc(sizeof *p + n * sizeof p->data[0]);
    p->length = (unsigned short)n;
    p->kind = 'k';
    for (int i = 0; i < n; i++) p->data[i] = i * i;
    return p;
}

int main(void)
{
    struct packet *p = make(5), *q = make(0);
    int sum = 0;
    for (int i = 0; i < p->length; i++) sum += p->data[i];
    for (int i = 0; i < fixed.n; i++) sum += fixed.values[i];
    p = realloc(p, sizeof *p + 10 * sizeof p->data[0]);
    memset(p->data + 5, 0, 5 * sizeof p->data[0]);
    for (int i = 0; i < 10; i++) sum += p->data[i];
    printf("%d %zu %d\n", sum, sizeof *p, q->length);
    free(p);
    free(q);
    return 0;
}
