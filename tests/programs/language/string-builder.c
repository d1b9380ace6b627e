/* clew run -D_GNU_SOURCE
 * exit: 0
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    char *text;
    size_t length, capacity;
};

static void add(struct builder *b, const char *format, ...)
{
    for (;;) {
        va_list args;
        va_start(args, format);
        size_t room = b->capacity - b->length;
        int n = vsnprintf(b->text ? b->text + b->length : NULL, room, format, args);
        va_end(args);
        if ((size_t)n < room) {
            b->length += n;
            return;
        }
        b->capacity = b->capacity ? b->capacity * 2 : 8;
        b->text = realloc(b->text, b->capacity);
    }
}

static void reverse(char *s)
{
    for (char *e = s + strlen(s) - 1; s < e; s++, e--) {
        char t = *s;
        *s = *e;
        *e = t;
    }
}

int main(void)
{
    struct builder b = {0};
    for (int i = 0; i < 12; i++) add(&b, "%s%d", i ? ", " : "[", i * i);
    add(&b, "]%c %5.2f %-6s|", '!', 3.14159, "end");
    printf("%s %zu %zu\n", b.text, b.length, b.capacity);
    reverse(b.text);
    puts(b.text);
    char *copy = NULL, *big = malloc(5000);
    memset(big, 'a', 4999);
    big[4999] = 0;
    int n = asprintf(&copy, "<%s>", big);
    printf("%d %c %c\n", n, copy[0], copy[5000]);
    free(big);
    free(copy);
    free(b.text);
    return 0;
}
