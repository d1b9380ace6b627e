/* Messages: a length, a kind and a number, then the body.  Both ends are the same program on the same machine. */
#include "campaign/campaign_int.h"

#include <errno.h>
#include <unistd.h>

typedef struct Head {
    uint32_t length /* of the body */, kind, number;
} Head;

static void write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, bytes, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) _exit(1); /* nobody listens any more */
        bytes += k;
        n -= (size_t)k;
    }
}

static void send(int fd, MessageKind kind, uint32_t number, const void *body, size_t n)
{
    StrBuf message = {0};
    Head head = {(uint32_t)n, (uint32_t)kind, number};
    strbuf_add_bytes(&message, &head, sizeof head);
    strbuf_add_bytes(&message, body, n);
    write_all(fd, message.text, message.len);
    strbuf_release(&message);
}

void message_send_record(int fd, MessageKind kind, uint32_t number, const Record *record)
{
    StrBuf body = {0};
    record_write(record, &body);
    send(fd, kind, number, body.text, body.len);
    strbuf_release(&body);
}

void message_send_text(int fd, MessageKind kind, uint32_t number, const char *file, const char *text)
{
    StrBuf body = {0};
    strbuf_add_bytes(&body, file, strlen(file) + 1);
    strbuf_add_bytes(&body, text, strlen(text) + 1);
    send(fd, kind, number, body.text, body.len);
    strbuf_release(&body);
}

void message_send_progress(int fd, MessageKind kind, const SearchProgress *progress)
{
    send(fd, kind, 0, progress, sizeof *progress);
}

static bool read_body(Message *message, const char *body, uint32_t n)
{
    Error error;
    switch (message->kind) {
    case MESSAGE_TEST:
    case MESSAGE_REFINED: return record_read(&message->record, body, n, &error) == OK;
    case MESSAGE_PROGRESS:
    case MESSAGE_DONE:
        if (n == sizeof message->progress) memcpy(&message->progress, body, n);
        return n == sizeof message->progress;
    default: break;
    }
    const char *end = memchr(body, 0, n);
    if (!end || n == 0 || body[n - 1] != 0) return false;
    message->file = body;
    message->text = end + 1 < body + n ? end + 1 : end;
    return true;
}

bool message_take(const char *bytes, size_t n, Message *message, size_t *used)
{
    Head head;
    *message = (Message){.kind = MESSAGE_ERROR, .file = "", .text = "a message of a search was damaged"};
    if (n < sizeof head) return false;
    memcpy(&head, bytes, sizeof head);
    if (n - sizeof head < head.length) return false;
    *used = sizeof head + head.length;
    Message whole = {.kind = (MessageKind)head.kind, .number = head.number, .file = "", .text = ""};
    if (head.kind <= MESSAGE_ERROR && read_body(&whole, bytes + sizeof head, head.length)) *message = whole;
    return true;
}
