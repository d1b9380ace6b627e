/* clew explore
 * seeds: 5
 * branches: 22 of 23
 * bug: assertion 44
 * complete: yes
 *
 * A run that comes back to a call is completed with the paths that were known when it was there first, also when more are known by now. */
#include <clew.h>

enum { EVENTS = 6 };
typedef enum State { CLOSED, CONNECTING, OPEN, FAILED } State;

typedef struct Connection {
    State state;
    int retries;
} Connection;

static void on_timeout(Connection *connection)
{
    if (connection->state == CLOSED || connection->state == FAILED) return;
    if (connection->retries >= 2) connection->state = FAILED;
    else connection->retries++;
}

static void step(Connection *connection, int event)
{
    switch (event) {
    case 0:
        if (connection->state == CLOSED) connection->state = CONNECTING;
        break;
    case 1:
        if (connection->state == CONNECTING) connection->state = OPEN;
        break;
    case 2: on_timeout(connection); break;
    case 3: connection->state = CLOSED; break;
    default: break;
    }
}

int main(void)
{
    Connection connection = {0};
    for (int i = 0; i < EVENTS; i++) step(&connection, clew_range(0, 4, "event"));
    clew_assert(!(connection.state == CLOSED && connection.retries == 2));
    if (connection.state == FAILED) return 2;
    return connection.retries;
}
