/* clew test --argv 2,3
 * branches: 4 of 4
 * bug: division-by-zero 18
 * tests: at most 2
 *
 * The average of no numbers. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 1; i < argc; i++) {
        int number = atoi(argv[i]);
        if (number < 0) number = 0;
        sum += number;
    }
    printf("%d\n", sum / (argc - 1));
    return 0;
}
