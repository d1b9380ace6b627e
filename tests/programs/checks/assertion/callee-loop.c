/* clew run
 * bug: assertion 8
 */
#include <assert.h>

static int check(int i)
{
    assert(i * i < 50 && "small");
    return i;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++) sum += check(i);
    return sum;
}
