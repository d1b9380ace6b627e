/* clew test --stdin 24
 * branches: 50 of 50
 * covered: at least 30
 *
 * A command shell that reads lines from standard input: set, get, add and quit, with variables of one letter and short numbers.
 * What makes it hard is that lines must be whole commands, and that one line must build on what another line has set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 12 };

static int variables[26], privileged, errors;

static int variable_of(const char *text)
{
    if (text[0] < 'a' || text[0] > 'z') return -1;
    return text[0] - 'a';
}

static int number_of(const char *text)
{
    int value = 0;
    if (*text == '\0') return -1;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return -1;
        if (value > 999) return -1;
        value = 10 * value + (*text - '0');
    }
    return value;
}

static int execute(char *line)
{
    if (strncmp(line, "set ", 4) == 0) {
        int variable = variable_of(line + 4);
        if (variable < 0 || line[5] != '=') return -1;
        int value = number_of(line + 6);
        if (value < 0) return -1;
        variables[variable] = value;
        return 0;
    }
    if (strncmp(line, "get ", 4) == 0) {
        int variable = variable_of(line + 4);
        if (variable < 0) return -1;
        printf("%d\n", variables[variable]);
        return 0;
    }
    if (strcmp(line, "su") == 0) {
        if (variables['k' - 'a'] != 731) return -1;
        privileged = 1;
        return 0;
    }
    if (strcmp(line, "off") == 0) {
        if (privileged) exit(3);
        return -1;
    }
    return line[0] == '\0' ? 0 : -1;
}

int main(void)
{
    char line[LINE + 1];
    int length = 0, c;
    while ((c = getchar()) != EOF) {
        if (c == '\n') {
            line[length] = '\0';
            if (execute(line) < 0) errors++;
            length = 0;
            if (errors == 4) return 2;
        } else if (c == 0x7f) {
            if (length > 0) length--;
        } else if (length < LINE) {
            line[length++] = (char)c;
        }
    }
    return 0;
}
