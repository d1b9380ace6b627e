/* clew run
 * bug: invalid-free 11
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = strdup("  padded");
    while (*text == ' ') text++;
    free(text);
    return 0;
}
