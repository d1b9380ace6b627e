/* clew test
 * branches: 12 of 12
 * bug: use-after-free 25
 * bug: double-free 27
 * tests: at most 8
 *
 * A little interpreter of commands (open, write, close) that forgets to forget what it has closed. */
#include <stdlib.h>

struct session {
    int written, flags;
};

int run(const char *commands)
{
    struct session *session = NULL;
    if (!commands) return -1;
    for (; *commands; commands++) {
        switch (*commands) {
        case 'o':
            if (!session) session = calloc(1, sizeof *session);
            break;
        case 'w':
            if (!session) return -2;
            session->written++;
            break;
        case 'c': free(session); break;
        default: return -3;
        }
    }
    return 0;
}
