/* clew run
 * exit: 0
 */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

struct link {
    struct link *next;
    int value;
};

static int chain(int n)
{
    struct link *head = NULL;
    for (int i = 0; i < n; i++) {
        struct link *l = alloca(sizeof *l);
        l->next = head;
        l->value = i;
        head = l;
    }
    int sum = 0;
    for (; head; head = head->next) sum += head->value;
    return sum;
}

static char *reversed(const char *text, char *out)
{
    size_t n = strlen(text);
    char *copy = alloca(n + 1);
    for (size_t i = 0; i < n; i++) copy[i] = text[n - 1 - i];
    copy[n] = 0;
    return strcpy(out, copy);
}

int main(void)
{
    char out[32];
    printf("%d %s %d\n", chain(100), reversed("clew", out), (int)((unsigned long)alloca(1) % 16));
    int sum = 0;
    for (int i = 0; i < 2000; i++) sum += chain(i % 5);
    printf("%d\n", sum);
    return 0;
}
