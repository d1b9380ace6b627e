/* clew run
 * bug: null-dereference 10
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *text = getenv("CLEW_NO_SUCH_VARIABLE_AT_ALL");
    return (int)strlen(text);
}
