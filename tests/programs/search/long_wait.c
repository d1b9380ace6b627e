/* clew explore --no-summaries
 * branches: 4 of 4
 * paths: 1001
 * complete: yes
 *
 * A loop that asks for inputs: runs are left at a depth of 256 inputs, and gone on with as the depth grows, so that what takes 1,000 rounds is reached
 * and all paths are known in the end. */
#include <clew.h>

int main(void)
{
    unsigned rounds = 0;
    while (1) {
        rounds++;
        if (clew_uchar("key") == 7) return 1;
        if (rounds == 1000) return 2;
    }
}
