/* clew test --argv 3,4
 * branches: 10 of 10
 * bug: division-by-zero 17
 * tests: at most 10
 *
 * A calculator for the command line: add, sub or div, and two numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int left = atoi(argv[2]), right = atoi(argv[3]), result;
    if (strcmp(argv[1], "add") == 0) result = left + right;
    else if (strcmp(argv[1], "sub") == 0) result = left - right;
    else if (strcmp(argv[1], "div") == 0) result = left / right;
    else return 3;
    printf("%d\n", result);
    if (result < 0) return 1;
    return 0;
}
