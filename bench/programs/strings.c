/* Words of a generated text: split, folded to lower case, counted in a hash table, searched. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 14000000, BUCKETS = 4096 };

struct word {
    struct word *next;
    int count;
    char text[];
};
static struct word *buckets[BUCKETS];
static char *text;

static unsigned generate(void)
{
    unsigned seed = 12345;
    for (int i = 0; i < N; i++) {
        seed = seed * 1103515245u + 12345u;
        unsigned r = seed >> 16 & 31;
        text[i] = r < 6 ? ' ' : (char)((r & 1 ? 'a' : 'A') + r % 7);
    }
    text[N] = 0;
    return seed;
}

static struct word *intern(const char *start, size_t n)
{
    unsigned h = 0;
    for (size_t i = 0; i < n; i++) h = h * 31 + (unsigned char)start[i];
    struct word **slot = &buckets[h % BUCKETS];
    for (struct word *w = *slot; w; w = w->next)
        if (strncmp(w->text, start, n) == 0 && w->text[n] == 0) return w;
    struct word *w = malloc(sizeof *w + n + 1);
    memcpy(w->text, start, n);
    w->text[n] = 0;
    w->count = 0;
    w->next = *slot;
    return *slot = w;
}

int main(void)
{
    text = malloc(N + 1);
    generate();
    for (int i = 0; i < N; i++) text[i] = (char)tolower((unsigned char)text[i]);
    for (char *p = text; *p;) {
        while (*p == ' ') p++;
        char *start = p;
        while (isalpha((unsigned char)*p)) p++;
        if (p > start && p - start < 6) intern(start, (size_t)(p - start))->count++;
    }
    int distinct = 0, most = 0, found = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (struct word *w = buckets[i]; w; w = w->next) {
            distinct++;
            if (w->count > most) most = w->count;
        }
    for (char *p = text; (p = strstr(p, "abc")); p++) found++;
    printf("%d %d %d %zu\n", distinct, most, found, strlen(text));
    return 0;
}
