/* Messages: a length, a kind and a number, then the body.  Both ends are the same program on the same machine. */
#include "base/line.h"
#include "campaign/campaign_int.h"

#include <unistd.h>

typedef struct Head {
    uint32_t length /* of the body */, kind, number;
} Head;

static void send(int fd, MessageKind kind, uint32_t number, const void *body, size_t n)
{
    StrBuf message = {0};
    Head head = {(uint32_t)n, (uint32_t)kind, number};
    strbuf_add_bytes(&message, &head, sizeof head);
    strbuf_add_bytes(&message, body, n);
    if (!line_write(fd, message.text, message.len)) _exit(1); /* nobody listens any more */
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

/* Numbers, then texts each with the NUL at its end, then the bytes that are kept.  An empty text is none. */
typedef struct SummaryHead {
    uint64_t hash, paths, kept, explored, reused, inlined;
} SummaryHead;

void message_send_summary(int fd, const LedgerSummary *s)
{
    StrBuf body = {0};
    SummaryHead head = {s->hash, s->paths, s->kept, s->explored, s->reused, s->inlined};
    const char *const texts[] = {s->function, s->why ? s->why : "", s->text ? s->text : ""};
    strbuf_add_bytes(&body, &head, sizeof head);
    for (size_t i = 0; i < COUNT_OF(texts); i++) strbuf_add_bytes(&body, texts[i], strlen(texts[i]) + 1);
    if (s->bytes.len) strbuf_add_bytes(&body, s->bytes.text, s->bytes.len);
    send(fd, MESSAGE_SUMMARY, 0, body.text, body.len);
    strbuf_release(&body);
}

static bool read_summary(LedgerSummary *s, const char *body, size_t n)
{
    SummaryHead head;
    const char *texts[3];
    if (n < sizeof head) return false;
    memcpy(&head, body, sizeof head);
    const char *at = body + sizeof head, *end = body + n;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        texts[i] = at;
        const char *nul = memchr(at, 0, (size_t)(end - at));
        if (!nul) return false;
        at = nul + 1;
    }
    *s = (LedgerSummary){.function = (char *)(uintptr_t)texts[0],
                         .hash = head.hash,
                         .paths = head.paths,
                         .kept = head.kept,
                         .explored = head.explored,
                         .reused = head.reused,
                         .inlined = head.inlined,
                         .why = texts[1][0] ? (char *)(uintptr_t)texts[1] : NULL,
                         .text = texts[2][0] ? (char *)(uintptr_t)texts[2] : NULL,
                         .bytes = {.text = (char *)(uintptr_t)at, .len = (size_t)(end - at)}};
    return texts[0][0] != 0;
}

static bool read_body(Message *message, const char *body, uint32_t n)
{
    Error error;
    switch (message->kind) {
    case MESSAGE_TEST:
    case MESSAGE_REFINED: return record_read(&message->record, body, n, &error) == OK;
    case MESSAGE_SUMMARY: return read_summary(&message->summary, body, n);
    case MESSAGE_PROGRESS:
    case MESSAGE_WAITS:
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
