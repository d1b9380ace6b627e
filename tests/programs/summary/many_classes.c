/* clew explore
 * seeds: 2
 * branches: 24 of 24
 * paths: 4
 * complete: yes
 *
 * Summaries take a while here, but path by path there are more than 10^9 paths: the search stays with them. */
#include <clew.h>

enum { COUNT = 10 };

static int weight_of(unsigned char c)
{
    if (c < 10) return 1;
    if (c < 20) return 3;
    if (c == 31) return 11;
    if (c == 32) return 13;
    if (c < 77) return 17;
    if (c > 200) return 29;
    if (c % 5 == 3) return 41;
    if (c & 1) return 53;
    return 2;
}

int main(void)
{
    unsigned char text[COUNT];
    clew_make_symbolic(text, COUNT, "text");
    int sum = 0;
    for (int i = 0; i < COUNT; i++) sum += weight_of(text[i]) * (i + 1);
    if (sum == 1234) return 1;
    if (sum % 97 == 5) return 2;
    return sum > 1500 ? 3 : 0;
}
