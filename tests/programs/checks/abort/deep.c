/* clew run
 * bug: abort 8
 */
#include <stdlib.h>

static void die(const char *why)
{
    if (why) abort();
}

static void parse(const char *text)
{
    if (!*text) die("unexpected end");
    else if (*text == ';') die(0);
    parse(text + 1);
}

int main(void)
{
    parse("a;b;c");
    return 0;
}
