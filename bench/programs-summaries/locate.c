/* The example of section 4 of P. Godefroid, Compositional Dynamic Test Generation (POPL 2007), on a string of up to N characters.
 * Path by path it takes about 3N runs; with a summary of locate no more than 2N + 3. */
#include <clew.h>

#ifndef N
#define N 4
#endif

/* locate index of first character c in null-terminated string s */
static int locate(char *s, int c)
{
    int i = 0;
    while (s[i] != c) {
        if (s[i] == 0) return -1;
        i++;
    }
    return i;
}

static int top(char *input)
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
