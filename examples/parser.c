/* clew test --nonnull setting
 * branches: 30 of 30
 * tests: at most 20
 *
 * Reads one line of a configuration: `name = number`, with blanks where one likes, or a comment. */
#include <string.h>

struct setting {
    char name[4];
    unsigned value;
};

enum result { EMPTY, SETTING, NAME_MISSING, NAME_TOO_LONG, EQUALS_MISSING, NUMBER_MISSING, REST };

static const char *skip_blanks(const char *text)
{
    while (*text == ' ') text++;
    return text;
}

static int is_letter(char c)
{
    if (c < 'a' || c > 'z') return 0;
    return 1;
}

enum result parse_setting(const char *line, struct setting *setting)
{
    size_t length = 0;
    if (!line) return EMPTY;
    line = skip_blanks(line);
    if (*line == '\0' || *line == '#') return EMPTY;
    while (is_letter(line[length])) length++;
    if (length == 0) return NAME_MISSING;
    if (length >= sizeof setting->name) return NAME_TOO_LONG;
    memcpy(setting->name, line, length);
    setting->name[length] = '\0';
    line = skip_blanks(line + length);
    if (*line++ != '=') return EQUALS_MISSING;
    line = skip_blanks(line);
    if (*line < '0' || *line > '9') return NUMBER_MISSING;
    for (setting->value = 0; *line >= '0' && *line <= '9'; line++) setting->value = setting->value * 10 + (unsigned)(*line - '0');
    if (*skip_blanks(line) != '\0') return REST;
    return SETTING;
}
