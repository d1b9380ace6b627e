/* clew run
 * exit: 0
 */
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    unsigned u = UINT_MAX;
    u += argc;
    unsigned long h = 14695981039346656037u;
    for (int i = 0; i < 10; i++) h = (h ^ i) * 1099511628211u;
    u--;
    printf("%u %lu %u\n", u, h, -u * 3u);
    return 0;
}
