/* clew run
 * exit: 0
 */
#include "shared.h"

#include <stdio.h>

int shared_counter = 1;
static int hidden = 10;

static int helper(void)
{
    return hidden;
}

int main(void)
{
    for (int i = 0; i < 5; i++) bump(i);
    printf("%d %d %d\n", shared_counter, helper(), other_helper());
    struct shape s = {3, 4};
    printf("%d %s\n", area(s), table[1].name);
    callback = helper;
    printf("%d\n", call_back());
    return 0;
}
