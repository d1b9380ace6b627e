/* clew run
 * stdin: the cat and the dog and the bird saw the cat\n
 * exit: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *key;
    int count;
    struct entry *next;
};
struct table {
    struct entry **buckets;
    unsigned size, used;
};

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s) h = h * 33 ^ (unsigned char)*s++;
    return h;
}

static void grow(struct table *t)
{
    struct table bigger = {calloc(t->size * 2, sizeof *t->buckets), t->size * 2, t->used};
    for (unsigned i = 0; i < t->size; i++)
        for (struct entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            struct entry **slot = &bigger.buckets[hash(e->key) % bigger.size];
            e->next = *slot;
            *slot = e;
        }
    free(t->buckets);
    *t = bigger;
}

static struct entry *get(struct table *t, const char *key)
{
    if (t->used >= t->size) grow(t);
    struct entry **slot = &t->buckets[hash(key) % t->size];
    for (struct entry *e = *slot; e; e = e->next)
        if (strcmp(e->key, key) == 0) return e;
    struct entry *e = malloc(sizeof *e);
    *e = (struct entry){strdup(key), 0, *slot};
    t->used++;
    return *slot = e;
}

static int order(const void *a, const void *b)
{
    const struct entry *const *x = a, *const *y = b;
    return (*y)->count != (*x)->count ? (*y)->count - (*x)->count : strcmp((*x)->key, (*y)->key);
}

int main(void)
{
    struct table t = {calloc(2, sizeof *t.buckets), 2, 0};
    char word[32];
    while (scanf("%31s", word) == 1) get(&t, word)->count++;
    for (int i = 0; i < 300; i++) {
        sprintf(word, "key%d", i % 100);
        get(&t, word)->count += i == 42;
    }
    struct entry **all = malloc(t.used * sizeof *all);
    unsigned n = 0;
    for (unsigned i = 0; i < t.size; i++)
        for (struct entry *e = t.buckets[i]; e; e = e->next) all[n++] = e;
    qsort(all, n, sizeof *all, order);
    for (unsigned i = 0; i < 8; i++) printf("%s %d\n", all[i]->key, all[i]->count);
    printf("%u %u\n", t.used, t.size);
    for (unsigned i = 0; i < n; i++) free(all[i]->key), free(all[i]);
    free(all);
    free(t.buckets);
    return 0;
}
