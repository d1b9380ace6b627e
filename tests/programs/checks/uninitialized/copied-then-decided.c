/* clew run
 * bug: uninitialized 14
 */
#include <string.h>

int main(void)
{
    struct pair {
        int a, b;
    } first, second;
    first.a = 1;
    memcpy(&second, &first, sizeof second);
    if (second.a != 1) return 1;
    if (second.b)
        return 0;
    return 0;
}
