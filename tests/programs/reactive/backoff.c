/* clew test
 * branches: 40 of 40
 * covered: at least 24
 *
 * A client that sends a request until a server answers, with a doubling pause, a circuit breaker and a budget of retries.
 * The loop ends after 64 events. What makes it hard is that pauses are counted in events and that failures must come close together. */
extern int __VERIFIER_nondet_int(void);

enum reply { OK, BUSY, BAD, SILENT };
enum circuit { CLOSED, OPEN, HALF_OPEN };

struct client {
    enum circuit circuit;
    int pause, wait, failures, budget, successes, open_for;
};

static void succeed(struct client *c)
{
    c->failures = 0;
    c->wait = 1;
    c->successes++;
    if (c->circuit == HALF_OPEN) c->circuit = CLOSED;
    if (c->budget < 10 && c->successes % 4 == 0) c->budget++;
}

static void fail(struct client *c)
{
    c->failures++;
    c->pause = c->wait;
    c->wait = c->wait < 16 ? 2 * c->wait : 16;
    if (c->circuit == HALF_OPEN || c->failures == 5) {
        c->circuit = OPEN;
        c->open_for = 12;
        c->failures = 0;
    }
}

static int send(struct client *c, int answer)
{
    switch (answer) {
    case OK:
        succeed(c);
        break;
    case BUSY:
        if (c->budget == 0) return -1;
        c->budget--;
        fail(c);
        break;
    case BAD:
        return -2;
    default:
        fail(c);
    }
    return 0;
}

int main(void)
{
    struct client client = { CLOSED, 0, 1, 0, 3, 0, 0 };
    int reopened = 0;
    for (int turn = 0; turn < 64; turn++) {
        int answer = __VERIFIER_nondet_int();
        if (client.circuit == OPEN) {
            if (--client.open_for == 0) {
                client.circuit = HALF_OPEN;
                client.pause = 0;
                reopened++;
            }
            continue;
        }
        if (client.pause > 0) {
            client.pause--;
            continue;
        }
        int result = send(&client, answer);
        if (result == -1 && client.successes > 0) return 1;
        if (result == -2 && client.wait == 16) return 2;
        if (reopened == 2 && client.circuit == CLOSED) return 3;
    }
    return client.successes >= 40 ? 4 : 0;
}
