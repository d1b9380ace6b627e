/* clew run */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    fputs("hello, world", f);
    fflush(f);
    printf("%s %zu\n", text, n);
    fseek(f, 0, SEEK_SET);
    fputc('J', f);
    fclose(f);
    printf("%s %zu\n", text, n);
    free(text);
    return 0;
}
