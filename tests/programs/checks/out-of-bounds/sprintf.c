/* clew run
 * bug: out-of-bounds 10
 */
#include <stdio.h>

int main(int argc, char **argv)
{
    char text[8];
    sprintf(text, "%d", 1234567 * argc);
    sprintf(text, "%d", 12345678 * argc);
    return text[0] != '1';
}
