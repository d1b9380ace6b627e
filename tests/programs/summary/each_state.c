/* clew explore
 * seeds: 2
 * branches: 25 of 26
 * paths: 1881
 * complete: yes
 *
 * The loop decides on every state that the function gives, so summaries save little and take long: soon it is done path by path. */
#include <clew.h>

enum { SIZE = 8 };

typedef enum State { FIELD, QUOTED, AFTER_QUOTE, BROKEN } State;

static State next_of(State state, char c)
{
    switch (state) {
    case FIELD: return c == '"' ? QUOTED : FIELD;
    case QUOTED: return c == '"' ? AFTER_QUOTE : QUOTED;
    case AFTER_QUOTE: return c == '"' ? QUOTED : c == ',' ? FIELD : BROKEN;
    default: return BROKEN;
    }
}

static int count_fields(const char *line)
{
    State state = FIELD;
    int fields = 1;
    for (int i = 0; i < SIZE; i++) {
        if (state == FIELD && line[i] == ',') fields++;
        state = next_of(state, line[i]);
        if (state == BROKEN) return -1;
    }
    return state == QUOTED ? -2 : fields;
}

int main(void)
{
    char line[SIZE];
    clew_make_symbolic(line, SIZE, "line");
    int fields = count_fields(line);
    if (fields < 0) return 1;
    return fields == 3 ? 2 : 0;
}
