/* clew run
 * stdout: 
 * bug: abort 11
 */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    printf("never written, for abort does not flush\n");
    abort();
}
