/* clew run
 * exit: 0
 */
#include <assert.h>

int main(int argc, char **argv)
{
    int count = 0;
    assert(++count == 1);
    assert(argv[argc] == 0);
    assert("a string is true");
    assert(0.1 + 0.2 != 0.3);
    static_assert(sizeof(int) == 4, "width");
    return count - 1;
}
