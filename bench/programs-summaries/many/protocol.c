/* A connection that is opened, used and closed by events; one order of them leaves it open for ever. */
#include <clew.h>
#include <stdbool.h>

enum { EVENTS = 6, MOST_RETRIES = 2 };

typedef enum State { CLOSED, CONNECTING, OPEN, CLOSING, FAILED } State;
typedef enum Event { CONNECT, ACCEPT, DATA, TIMEOUT, CLOSE, RESET } Event;

typedef struct Connection {
    State state;
    int retries;
    int received;
    bool is_acknowledged;
} Connection;

static void on_timeout(Connection *connection)
{
    if (connection->state == CLOSED || connection->state == FAILED) return;
    if (connection->retries >= MOST_RETRIES) connection->state = FAILED;
    else connection->retries++;
}

static void on_data(Connection *connection)
{
    if (connection->state != OPEN) return;
    connection->received++;
    connection->is_acknowledged = true;
}

static void step(Connection *connection, Event event)
{
    switch (event) {
    case CONNECT:
        if (connection->state == CLOSED) connection->state = CONNECTING;
        break;
    case ACCEPT:
        if (connection->state == CONNECTING) {
            connection->state = OPEN;
            connection->retries = 0;
        }
        break;
    case DATA: on_data(connection); break;
    case TIMEOUT: on_timeout(connection); break;
    case CLOSE:
        if (connection->state == OPEN) connection->state = CLOSING;
        else if (connection->state == CLOSING) connection->state = CLOSED;
        break;
    case RESET:
        connection->state = CLOSED;
        connection->is_acknowledged = false;
        break;
    default: break;
    }
}

int main(void)
{
    Connection connection = {0};
    for (int i = 0; i < EVENTS; i++) step(&connection, (Event)clew_range(0, 6, "event"));
    clew_assert(!(connection.state == CLOSED && connection.is_acknowledged && connection.retries > 0));
    if (connection.state == FAILED) return 2;
    return connection.received > 2 ? 1 : 0;
}
