/* clew run
 * bug: assertion 9
 */
#include <assert.h>

int main(int argc, char **argv)
{
    assert(argc == 1);
    assert(argc == 2);
    return 0;
}
