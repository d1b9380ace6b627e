/* clew run
 * exit: 0
 */
#include <stdio.h>

static int run(const unsigned char *code)
{
    static const void *const table[] = {&&push, &&add, &&multiply, &&halt, &&duplicate};
    int stack[16], *top = stack;
    goto *table[*code++];
push:
    *top++ = *code++;
    goto *table[*code++];
add:
    top--;
    top[-1] += *top;
    goto *table[*code++];
multiply:
    top--;
    top[-1] *= *top;
    goto *table[*code++];
duplicate:
    *top = top[-1];
    top++;
    goto *table[*code++];
halt:
    return top[-1];
}

static int offsets(int n)
{
    static const int distance[] = {&&zero - &&zero, &&one - &&zero, &&two - &&zero};
    int r = 0;
again:
    goto *(&&zero + distance[n]);
two:
    r += 100, n--;
    goto again;
one:
    r += 10, n--;
    goto again;
zero:
    return r + 1;
}

int main(void)
{
    unsigned char program[] = {0, 5, 0, 7, 1, 4, 2, 3};
    printf("%d %d %d\n", run(program), offsets(0), offsets(2));
    return 0;
}
