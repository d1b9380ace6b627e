/* The server side of a handshake like TLS: a machine of states driven by records, with alerts and downgrades. */
#include <clew.h>
#include <stdint.h>

enum { MESSAGES = 5 };

enum state { START, HELLO, CERTIFICATE, KEYS, FINISHED, CLOSED };
enum kind { CLIENT_HELLO = 1, CLIENT_CERTIFICATE = 11, KEY_EXCHANGE = 16, CIPHER_CHANGE = 20, ALERT = 21, FINISH = 22, DATA = 23 };
enum alert { NO_ALERT, UNEXPECTED = 10, BAD_RECORD = 20, BAD_VERSION = 70, NO_CIPHER = 40, BAD_CERTIFICATE = 42 };

struct message {
    uint8_t kind, major, minor, flags;
    uint16_t cipher;
    uint16_t value; /* key share, or the digest of what was exchanged */
};

struct server {
    enum state state;
    enum alert alert;
    uint8_t version;
    uint16_t cipher, secret, digest;
    int wants_certificate, encrypted, warnings;
};

static void stop(struct server *s, enum alert alert)
{
    s->alert = alert;
    s->state = CLOSED;
}

static uint16_t choose_cipher(const struct server *s, uint16_t offered)
{
    static const uint16_t known[] = {0x1301, 0x1302, 0xc02f, 0x009c};
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i] == offered && (s->version >= 4 || i >= 2)) return offered;
    return 0;
}

static void client_hello(struct server *s, const struct message *m)
{
    if (m->major != 3 || m->minor < 3) {
        stop(s, BAD_VERSION);
        return;
    }
    s->version = m->minor > 4 ? 4 : m->minor; /* a newer client is answered with the newest we have */
    s->cipher = choose_cipher(s, m->cipher);
    if (!s->cipher) {
        stop(s, NO_CIPHER);
        return;
    }
    s->wants_certificate = m->flags & 1;
    s->state = s->wants_certificate ? CERTIFICATE : HELLO;
}

static void certificate(struct server *s, const struct message *m)
{
    uint16_t check = (uint16_t)(m->cipher * 31u + m->flags);
    if (check != m->value) stop(s, BAD_CERTIFICATE);
    else s->state = HELLO;
}

static void key_exchange(struct server *s, const struct message *m)
{
    if (m->value < 2 || m->value == 0xffff) { /* degenerate shares */
        stop(s, BAD_RECORD);
        return;
    }
    s->secret = (uint16_t)(m->value ^ s->cipher);
    s->state = KEYS;
}

static void finish(struct server *s, const struct message *m)
{
    if (m->value != (uint16_t)(s->digest + s->secret)) stop(s, BAD_RECORD);
    else s->state = FINISHED;
}

static void receive_alert(struct server *s, const struct message *m)
{
    if (m->flags == 2 || ++s->warnings > 2) s->state = CLOSED;
}

static void receive(struct server *s, const struct message *m)
{
    if (m->kind == ALERT) {
        receive_alert(s, m);
    } else if (s->state == START && m->kind == CLIENT_HELLO) {
        client_hello(s, m);
    } else if (s->state == CERTIFICATE && m->kind == CLIENT_CERTIFICATE) {
        certificate(s, m);
    } else if (s->state == HELLO && m->kind == KEY_EXCHANGE) {
        key_exchange(s, m);
    } else if (s->state == KEYS && m->kind == CIPHER_CHANGE && !s->encrypted) {
        s->encrypted = 1;
    } else if (s->state == KEYS && m->kind == FINISH && s->encrypted) {
        finish(s, m);
    } else if (s->state != FINISHED || m->kind != DATA) {
        stop(s, UNEXPECTED);
    }
    s->digest = (uint16_t)(s->digest * 5 + m->kind);
}

int main(void)
{
    struct message messages[MESSAGES];
    struct server s = {0};
    clew_make_symbolic(messages, sizeof messages, "messages");
    for (int i = 0; i < MESSAGES && s.state != CLOSED; i++) receive(&s, &messages[i]);
    clew_assert(s.state != FINISHED || (s.encrypted && s.cipher));
    if (s.state == FINISHED) return s.version == 3 ? 1 : 2;
    return s.state == CLOSED ? 10 + (int)s.alert : 3;
}
