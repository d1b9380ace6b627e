/* Fields of a line of comma separated values, with quotes. */
#include <clew.h>
#include <stdbool.h>

#define LINE 7

enum csv_state { FIELD_START, UNQUOTED, QUOTED, QUOTE_IN_QUOTED, ERROR };

static bool is_special(char c)
{
    return c == ',' || c == '"' || c == '\n';
}

static enum csv_state next_state(enum csv_state state, char c)
{
    switch (state) {
    case FIELD_START:
        if (c == '"') return QUOTED;
        if (c == ',') return FIELD_START;
        return UNQUOTED;
    case UNQUOTED:
        if (c == ',') return FIELD_START;
        if (c == '"') return ERROR;
        return UNQUOTED;
    case QUOTED:
        if (c == '"') return QUOTE_IN_QUOTED;
        return QUOTED;
    case QUOTE_IN_QUOTED:
        if (c == ',') return FIELD_START;
        if (c == '"') return QUOTED;
        return ERROR;
    default: return ERROR;
    }
}

static int count_fields(const char *line, int n, int *specials)
{
    enum csv_state state = FIELD_START;
    int fields = 1;
    for (int i = 0; i < n && line[i] != '\n'; i++) {
        if (is_special(line[i])) (*specials)++;
        enum csv_state next = next_state(state, line[i]);
        if (next == FIELD_START) fields++;
        if (next == ERROR) return -1;
        state = next;
    }
    if (state == QUOTED) return -2;
    return fields;
}

int main(void)
{
    char line[LINE];
    clew_make_symbolic(line, LINE, "line");
    int specials = 0;
    int fields = count_fields(line, LINE, &specials);
    if (fields == -1) return 1;
    if (fields == -2) return 2;
    clew_assert(fields <= specials + 1);
    if (fields > 4) return 3;
    return 0;
}
