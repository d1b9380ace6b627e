/* clew explore
 * branches: 2 of 2
 * bug: out-of-bounds 12
 * bug: out-of-bounds 17
 * complete: yes
 *
 * A bug in a function of the library is one of the line that calls it, each of them. */
#include <clew.h>
#include <string.h>
static int length_of(const char *text)
{
    return (int)strlen(text);
}

static int size_of(const char *text)
{
    return (int)strlen(text) + 1;
}

int main(void)
{
    char a[3], b[3];
    clew_make_symbolic(a, sizeof a, "a");
    clew_make_symbolic(b, sizeof b, "b");
    int sum = length_of(a);
    sum += 4 * size_of(b);
    if (sum == 5) return 1;
    return 0;
}
