/* clew explore --summaries
 * seeds: 3
 * variants: -DN=2 -DN=5 -DN=10
 * branches: 8 of 8
 * paths: 3
 * complete: yes
 *
 * Paper 002, section 4: locate has 2N + 1 paths, and top has three whatever N is. */
#include <clew.h>

#ifndef N
#define N 5
#endif

/* The index of the first c in s. */
int locate(char *s, int c)
{
    int i = 0;
    while (s[i] != c) {
        if (s[i] == 0) return -1;
        i++;
    }
    return i;
}

int top(char *input)
{
    int z;
    z = locate(input, 'a');
    if (z == -1) return -1;            /* error code */
    if (input[z + 1] != ':') return 1; /* success */
    return 0;                          /* failure */
}

int main(void)
{
    char input[N + 1];
    clew_make_symbolic(input, N, "input");
    input[N] = 0;
    return top(input);
}
