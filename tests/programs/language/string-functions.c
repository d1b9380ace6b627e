/* clew run
 * exit: 0
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

int main(void)
{
    char a[64] = "the quick brown fox", b[64];
    printf("%zu %zu %zu\n", strlen(a), strnlen(a, 7), strspn(a, "eht"));
    printf("%d %d %d %d\n", sign(strcmp(a, "the")), sign(strcmp("a", "b")), sign(strncmp(a, "then", 3)), sign(strcasecmp("ABC", "abd")));
    printf("%s %s %s\n", strchr(a, 'q'), strrchr(a, 'o'), strstr(a, "own"));
    printf("%d %d %zu\n", strchr(a, 'z') == 0, *strchr(a, 0), strcspn(a, "kb"));
    strcpy(b, a);
    strcat(b, "!");
    strncat(b, "????", 2);
    puts(b);
    memset(b, 'x', 5);
    memmove(b + 2, b + 1, 10);
    puts(b);
    char *save, list[] = "one,two;;three,";
    for (char *t = strtok_r(list, ",;", &save); t; t = strtok_r(0, ",;", &save)) printf("[%s]", t);
    char again[] = " x  y ";
    for (char *t = strtok(again, " "); t; t = strtok(0, " ")) printf("<%s>", t);
    puts("");
    printf("%s %d %d\n", strpbrk(a, "xyz"), memcmp("ab\0c", "ab\0d", 4) < 0, memchr(a, 'k', 20) == strchr(a, 'k'));
    for (char *p = a; *p; p++) *p = (char)(p == a || p[-1] == ' ' ? toupper(*p) : *p);
    puts(a);
    int classes = 0;
    for (int c = 0; c < 128; c++)
        classes += (isalpha(c) != 0) + (isdigit(c) != 0) * 2 + (isspace(c) != 0) * 4 + (ispunct(c) != 0) * 8 + (isxdigit(c) != 0) * 16 + (iscntrl(c) != 0) * 32;
    snprintf(b, 8, "%s", a);
    printf("%d %s %zu\n", classes, b, strlen(stpcpy(b, "end") - 3));
    return 0;
}
