/* clew run
 * bug: double-free 12
 */
#include <stdlib.h>

int main(void)
{
    char *rows[4];
    for (int i = 0; i < 4; i++) rows[i] = malloc(8);
    rows[2] = rows[0];
    for (int i = 0; i < 4; i++)
        free(rows[i]);
    return 0;
}
