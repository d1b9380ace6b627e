/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void split(const char *text, char ***words, int *count)
{
    *words = NULL;
    *count = 0;
    while (*text) {
        size_t n = strcspn(text, " ");
        *words = realloc(*words, (*count + 1) * sizeof **words);
        (*words)[(*count)++] = strndup(text, n);
        text += n + (text[n] == ' ');
    }
}

static int **matrix(int rows, int columns)
{
    int **m = malloc(rows * sizeof *m);
    for (int i = 0; i < rows; i++) {
        m[i] = malloc(columns * sizeof **m);
        for (int j = 0; j < columns; j++) m[i][j] = i ^ j;
    }
    return m;
}

static void swap(void **a, void **b)
{
    void *t = *a;
    *a = *b;
    *b = t;
}

int main(void)
{
    char **words;
    int n, total = 0;
    split("a ball of thread", &words, &n);
    swap((void **)&words[0], (void **)&words[3]);
    for (int i = 0; i < n; i++) printf("%s ", words[i]), free(words[i]);
    free(words);
    int **m = matrix(5, 6), ***pm = &m;
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 6; j++) total += (*pm)[i][j];
        free(m[i]);
    }
    free(m);
    int x = 1, y = 2, *p = &x, **pp = &p, ***ppp = &pp;
    **pp = 10;
    *pp = &y;
    ***ppp += 5;
    printf("%d %d %d %d\n", n, total, x, y);
    return 0;
}
