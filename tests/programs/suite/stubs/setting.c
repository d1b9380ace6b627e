/* clew test
 * branches: 8 of 8
 * tests: at most 10
 *
 * A missing function returns a string, or NULL. */
#include <string.h>

const char *setting(const char *key);

int log_level(void)
{
    const char *text = setting("log");
    if (!text) return 0;
    if (strcmp(text, "all") == 0) return 3;
    if (text[0] >= '0' && text[0] <= '3') return text[0] - '0';
    return -1;
}
