/* clew run -- one
 * env: CLEW_TEST_MARK=yes
 * exit: 0
 */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv, char **envp)
{
    int found = 0;
    for (; *envp; envp++) found |= strcmp(*envp, "CLEW_TEST_MARK=yes") == 0;
    printf("%d %s %d\n", argc, argv[1], found);
    return 0;
}
