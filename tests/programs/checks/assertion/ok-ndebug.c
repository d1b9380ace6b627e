/* clew run -DNDEBUG
 * exit: 0
 */
#include <assert.h>

int main(int argc, char **argv)
{
    int count = 0;
    assert(++count == 5);
    assert(argc == 100);
    return count;
}
