/* A parser for messages in the manner of SIP (RFC 3261), over a packet of exactly SIZE bytes, which holds one message.
 *
 * It is as tolerant as parsers of a living protocol are: blank lines before the message are keep-alives, any token is a method or the name of
 * a header, lines end in CR LF, LF or CR, and a request may lack its version.  The first line that cannot be read ends it.  Nothing is copied: what is found is a Span of the packet.
 *
 * PART chooses what the packet is: 0 messages, 1 header lines, 2 the value of Via, 3 a URI, 4 the value of From or To. */
#include <clew.h>
#include <stdbool.h>

#ifndef SIZE
#define SIZE 4
#endif
#ifndef PART
#define PART 0
#endif

enum { END = -1, NO_PORT = 0, NO_NUMBER = -1, MAX_PARAMETERS = 8, MAX_VIAS = 8, MAX_PORT = 65535, MAX_NUMBER = 1000000000 };

typedef enum Status { OK, MISSING, MALFORMED, OUT_OF_RANGE, TOO_MANY } Status;

typedef enum Scheme { SCHEME_OTHER, SCHEME_SIP, SCHEME_SIPS } Scheme;

typedef enum HostKind { HOST_NAME, HOST_IPV4, HOST_IPV6 } HostKind;

typedef enum Method { METHOD_OTHER, METHOD_INVITE, METHOD_ACK, METHOD_BYE, METHOD_CANCEL, METHOD_OPTIONS, METHOD_REGISTER } Method;

typedef enum HeaderKind {
    HEADER_OTHER,
    HEADER_FROM,
    HEADER_TO,
    HEADER_VIA,
    HEADER_CONTACT,
    HEADER_CALL_ID,
    HEADER_CSEQ,
    HEADER_CONTENT_LENGTH,
    HEADER_MAX_FORWARDS
} HeaderKind;

typedef struct Cursor {
    const char *data;
    int length;
    int at;
} Cursor;

typedef struct Span {
    int at;
    int length;
} Span;

typedef struct Parameter {
    Span name;
    Span value; /* empty: there is none */
} Parameter;

typedef struct Parameters {
    int count;
    Span tag;
    Span branch;
    Span ttl;
} Parameters;

typedef struct Host {
    HostKind kind;
    Span text;
    int port;
} Host;

typedef struct Uri {
    Scheme scheme;
    Span text; /* what follows another scheme than ours */
    Span user;
    Span password;
    Host host;
    Parameters parameters;
    Parameters headers;
} Uri;

typedef struct Address {
    Span display;
    Uri uri;
    Parameters parameters;
} Address;

typedef struct Via {
    Span transport;
    Host host;
    Parameters parameters;
    int ttl;
} Via;

typedef struct Sequence {
    int number;
    Method method;
    Span name;
} Sequence;

typedef struct StartLine {
    bool is_response;
    bool has_version;
    Method method;
    Span name;
    Uri uri;
    int code;
    Span reason;
} StartLine;

typedef struct Message {
    StartLine start;
    int header_count;
    Address from;
    Address to;
    Address contact;
    Via via;
    int via_count;
    Span call_id;
    Sequence sequence;
    int content_length;
    int max_forwards;
    Span body;
} Message;

/* ---- characters ---- */

/* The end of the packet, END, is in no class. */
static bool is_between(int c, int low, int high)
{
    return (unsigned)c - (unsigned)low <= (unsigned)(high - low);
}

static bool is_digit(int c)
{
    return is_between(c, '0', '9');
}

/* Of letters. */
static int to_lower(int c)
{
    return c | ('a' ^ 'A');
}

static bool is_letter(int c)
{
    return is_between(to_lower(c), 'a', 'z');
}

static bool is_alphanumeric(int c)
{
    return is_letter(c) || is_digit(c);
}

static bool is_hex_digit(int c)
{
    return is_digit(c) || is_between(to_lower(c), 'a', 'f');
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t';
}

static bool is_line_end(int c)
{
    return c == '\r' || c == '\n';
}

/* In any case, if it is a letter. */
static bool is_same(int c, int wanted)
{
    if (is_letter(wanted)) return to_lower(c) == to_lower(wanted);
    return c == wanted;
}

/* Without a branch for each character of the set. */
static bool is_one_of(int c, const char *set)
{
    bool is_found = false;
    for (; *set; set++) is_found |= c == *set;
    return is_found;
}

static bool is_token_char(int c)
{
    return is_alphanumeric(c) || is_one_of(c, "-.!%*_+`'~");
}

/* Of the user and the password in a URI, besides escapes. */
static bool is_user_char(int c)
{
    return is_alphanumeric(c) || is_one_of(c, "-_.!~*'()&=+$,;?/");
}

/* Of a parameter or header in a URI, besides escapes. */
static bool is_uri_char(int c)
{
    return is_alphanumeric(c) || is_one_of(c, "-_.!~*'()[]/:+$");
}

static bool is_scheme_char(int c)
{
    return is_alphanumeric(c) || is_one_of(c, "+-.");
}

/* Of a URI of another scheme than ours. */
static bool is_opaque_char(int c)
{
    return c > ' ' && !is_one_of(c, "<>\"");
}

static bool is_label_char(int c)
{
    return is_alphanumeric(c) || c == '-';
}

static bool is_ipv6_char(int c)
{
    return is_hex_digit(c) || is_one_of(c, ":.");
}

static bool is_in_line(int c)
{
    return c != END && !is_line_end(c);
}

/* ---- the cursor ---- */

static bool is_end(const Cursor *cursor)
{
    return cursor->at >= cursor->length;
}

static int peek(const Cursor *cursor)
{
    if (is_end(cursor)) return END;
    return (unsigned char)cursor->data[cursor->at];
}

static bool take(Cursor *cursor, int wanted)
{
    if (peek(cursor) != wanted) return false;
    cursor->at++;
    return true;
}

/* All of the text in any case of its letters, or nothing. */
static bool take_word(Cursor *cursor, const char *text)
{
    int start = cursor->at;
    for (; *text; text++) {
        if (!is_same(peek(cursor), *text)) {
            cursor->at = start;
            return false;
        }
        cursor->at++;
    }
    return true;
}

static Span span_since(const Cursor *cursor, int start)
{
    Span span = {start, cursor->at - start};
    return span;
}

/* The same text from another place on. */
static Cursor cursor_at(const Cursor *cursor, int at)
{
    Cursor other = {cursor->data, cursor->length, at};
    return other;
}

static void skip_blanks(Cursor *cursor)
{
    while (is_blank(peek(cursor))) cursor->at++;
}

static bool skip_line_end(Cursor *cursor)
{
    if (take(cursor, '\n')) return true;
    if (!take(cursor, '\r')) return false;
    take(cursor, '\n');
    return true;
}

static void skip_to_line_end(Cursor *cursor)
{
    while (is_in_line(peek(cursor))) cursor->at++;
}

static int skip_blank_lines(Cursor *cursor)
{
    int count = 0;
    while (skip_line_end(cursor)) count++;
    return count;
}

/* After blanks, and takes the blanks that follow. */
static bool take_separator(Cursor *cursor, int wanted)
{
    Cursor ahead = *cursor;
    skip_blanks(&ahead);
    if (!take(&ahead, wanted)) return false;
    skip_blanks(&ahead);
    cursor->at = ahead.at;
    return true;
}

/* ---- spans ---- */

static int length_of(const char *text)
{
    int length = 0;
    while (text[length]) length++;
    return length;
}

static bool span_is(const Cursor *cursor, Span span, const char *text)
{
    bool is_found = true;
    if (span.length != length_of(text)) return false;
    for (int i = 0; text[i]; i++) is_found &= is_same((unsigned char)cursor->data[span.at + i], text[i]);
    return is_found;
}

static bool spans_equal(const Cursor *cursor, Span a, Span b)
{
    if (a.length != b.length) return false;
    for (int i = 0; i < a.length; i++)
        if (cursor->data[a.at + i] != cursor->data[b.at + i]) return false;
    return true;
}

/* ---- words ---- */

static Status parse_token(Cursor *cursor, Span *token)
{
    int start = cursor->at;
    while (is_token_char(peek(cursor))) cursor->at++;
    *token = span_since(cursor, start);
    return token->length > 0 ? OK : MISSING;
}

/* One digit more; a number that is too large stays the largest. */
static Status add_digit(int *number, int digit, int most)
{
    if (*number < MAX_NUMBER / 10) {
        *number = *number * 10 + digit;
        if (*number <= most) return OK;
    }
    *number = most;
    return OUT_OF_RANGE;
}

/* Takes all of the digits, also of a number that is too large. */
static Status parse_number(Cursor *cursor, int most, int *number)
{
    if (!is_digit(peek(cursor))) return MISSING;
    Status status = OK;
    *number = 0;
    for (; is_digit(peek(cursor)); cursor->at++) status |= add_digit(number, peek(cursor) - '0', most);
    return status;
}

/* One character, or two if the first is a backslash. */
static bool take_quoted_char(Cursor *cursor)
{
    if (is_end(cursor) || peek(cursor) == '"') return false;
    if (take(cursor, '\\') && !is_in_line(peek(cursor))) return false;
    cursor->at++;
    return true;
}

/* The span is what stands between the quotes, escapes as they are. */
static Status parse_quoted(Cursor *cursor, Span *text)
{
    if (!take(cursor, '"')) return MISSING;
    int start = cursor->at;
    while (take_quoted_char(cursor)) continue;
    *text = span_since(cursor, start);
    return take(cursor, '"') ? OK : MALFORMED;
}

/* Two digits after a percent sign. */
static bool take_escape(Cursor *cursor)
{
    Cursor ahead = *cursor;
    if (!take(&ahead, '%') || !is_hex_digit(peek(&ahead))) return false;
    ahead.at++;
    if (!is_hex_digit(peek(&ahead))) return false;
    cursor->at = ahead.at + 1;
    return true;
}

static bool take_user_char(Cursor *cursor)
{
    if (!is_user_char(peek(cursor))) return take_escape(cursor);
    cursor->at++;
    return true;
}

static bool take_uri_char(Cursor *cursor)
{
    if (!is_uri_char(peek(cursor))) return take_escape(cursor);
    cursor->at++;
    return true;
}

static Span parse_user_text(Cursor *cursor)
{
    int start = cursor->at;
    while (take_user_char(cursor)) continue;
    return span_since(cursor, start);
}

static Span parse_uri_text(Cursor *cursor)
{
    int start = cursor->at;
    while (take_uri_char(cursor)) continue;
    return span_since(cursor, start);
}

/* ---- hosts ---- */

static Status parse_port(Cursor *cursor, int *port)
{
    *port = NO_PORT;
    if (!take(cursor, ':')) return OK;
    Status status = parse_number(cursor, MAX_PORT, port);
    if (status == MISSING || (status == OK && *port == NO_PORT)) return MALFORMED;
    return status;
}

/* The groups are counted, not their digits. */
static Status parse_ipv6(Cursor *cursor, Host *host)
{
    int start = cursor->at, colons = 0;
    for (; is_ipv6_char(peek(cursor)); cursor->at++) colons += peek(cursor) == ':';
    host->kind = HOST_IPV6;
    host->text = span_since(cursor, start);
    if (!take(cursor, ']')) return MALFORMED;
    return colons >= 2 && colons <= 7 ? OK : MALFORMED;
}

/* Letters, digits and hyphens, with none of these at either end; *is_octet: it is a number up to 255. */
static Status parse_label(Cursor *cursor, bool *is_octet)
{
    Cursor digits = *cursor;
    int start = cursor->at, octet, last = END;
    for (; is_label_char(peek(cursor)); cursor->at++) last = peek(cursor);
    if (cursor->at == start) return MISSING;
    if (cursor->data[start] == '-' || last == '-') return MALFORMED;
    *is_octet = parse_number(&digits, 255, &octet) == OK && digits.at == cursor->at;
    return OK;
}

static Status parse_host_name(Cursor *cursor, Host *host)
{
    int start = cursor->at, labels = 0, octets = 0;
    do {
        bool is_octet = false;
        Status status = parse_label(cursor, &is_octet);
        if (status == MISSING && labels > 0) break; /* a dot at the end is the root */
        if (status != OK) return status;
        labels++;
        octets += is_octet;
    } while (take(cursor, '.'));
    host->kind = labels == 4 && octets == 4 ? HOST_IPV4 : HOST_NAME;
    host->text = span_since(cursor, start);
    return OK;
}

static Status parse_host(Cursor *cursor, Host *host)
{
    Status status = take(cursor, '[') ? parse_ipv6(cursor, host) : parse_host_name(cursor, host);
    if (status != OK) return status;
    return parse_port(cursor, &host->port);
}

/* ---- parameters ---- */

/* One that we know is kept, of several the last. */
static void note_parameter(const Cursor *cursor, const Parameter *parameter, Parameters *found)
{
    if (span_is(cursor, parameter->name, "tag")) found->tag = parameter->value;
    else if (span_is(cursor, parameter->name, "branch")) found->branch = parameter->value;
    else if (span_is(cursor, parameter->name, "ttl")) found->ttl = parameter->value;
    found->count++;
}

/* A token, a quoted string, or an address in brackets. */
static Status parse_parameter_value(Cursor *cursor, Span *value)
{
    if (peek(cursor) == '"') return parse_quoted(cursor, value);
    if (peek(cursor) == '[') {
        Host host;
        int start = cursor->at++;
        Status status = parse_ipv6(cursor, &host);
        *value = span_since(cursor, start);
        return status;
    }
    return parse_token(cursor, value);
}

static Status parse_parameter(Cursor *cursor, Parameter *parameter)
{
    Status status = parse_token(cursor, &parameter->name);
    if (status != OK) return MALFORMED;
    parameter->value = (Span){cursor->at, 0};
    if (!take_separator(cursor, '=')) return OK;
    return parse_parameter_value(cursor, &parameter->value) == OK ? OK : MALFORMED;
}

static Status parse_parameters(Cursor *cursor, Parameters *parameters)
{
    while (take_separator(cursor, ';')) {
        Parameter parameter;
        Status status = parse_parameter(cursor, &parameter);
        if (status != OK) return status;
        if (parameters->count == MAX_PARAMETERS) return TOO_MANY;
        note_parameter(cursor, &parameter, parameters);
    }
    return OK;
}

/* ---- URIs ---- */

/* name=value, after a semicolon, question mark or ampersand. */
static Status parse_uri_field(Cursor *cursor, Parameter *field)
{
    field->name = parse_uri_text(cursor);
    field->value = (Span){cursor->at, 0};
    if (field->name.length == 0) return MALFORMED;
    if (take(cursor, '=')) field->value = parse_uri_text(cursor);
    return OK;
}

static Status parse_uri_parameters(Cursor *cursor, Parameters *parameters)
{
    while (take(cursor, ';')) {
        Parameter field;
        Status status = parse_uri_field(cursor, &field);
        if (status != OK) return status;
        note_parameter(cursor, &field, parameters);
    }
    return OK;
}

static Status parse_uri_headers(Cursor *cursor, Parameters *headers)
{
    if (!take(cursor, '?')) return OK;
    do {
        Parameter field;
        Status status = parse_uri_field(cursor, &field);
        if (status != OK) return status;
        headers->count++;
    } while (take(cursor, '&'));
    return OK;
}

/* The user part may look like a host, so what decides is whether an at sign follows. */
static void parse_user(Cursor *cursor, Uri *uri)
{
    int start = cursor->at;
    uri->user = parse_user_text(cursor);
    uri->password = (Span){cursor->at, 0};
    if (take(cursor, ':')) uri->password = parse_user_text(cursor);
    if (uri->user.length > 0 && take(cursor, '@')) return;
    cursor->at = start;
    uri->user = uri->password = (Span){start, 0};
}

static Status parse_scheme(Cursor *cursor, Scheme *scheme)
{
    int start = cursor->at;
    if (!is_letter(peek(cursor))) return MISSING;
    while (is_scheme_char(peek(cursor))) cursor->at++;
    Span name = span_since(cursor, start);
    if (!take(cursor, ':')) return MALFORMED;
    *scheme = span_is(cursor, name, "sip") ? SCHEME_SIP : span_is(cursor, name, "sips") ? SCHEME_SIPS : SCHEME_OTHER;
    return OK;
}

/* Of another scheme: up to a space or an angle bracket. */
static Status parse_opaque(Cursor *cursor, Uri *uri)
{
    int start = cursor->at;
    while (is_opaque_char(peek(cursor))) cursor->at++;
    uri->text = span_since(cursor, start);
    return uri->text.length > 0 ? OK : MALFORMED;
}

/* A URI outside of angle brackets has no parameters of its own: they are those of the header. */
static Status parse_uri(Cursor *cursor, bool is_bracketed, Uri *uri)
{
    Status status = parse_scheme(cursor, &uri->scheme);
    if (status != OK) return status;
    if (uri->scheme == SCHEME_OTHER) return parse_opaque(cursor, uri);
    parse_user(cursor, uri);
    status = parse_host(cursor, &uri->host);
    if (status != OK) return status == MISSING ? MALFORMED : status;
    if (!is_bracketed) return OK;
    status = parse_uri_parameters(cursor, &uri->parameters);
    if (status != OK) return status;
    return parse_uri_headers(cursor, &uri->headers);
}

/* ---- values of headers ---- */

/* Nothing, a quoted string, or tokens with spaces between them; an angle bracket must follow. */
static Status parse_display_name(Cursor *cursor, Span *display)
{
    int start = cursor->at;
    Span token;
    *display = (Span){start, 0};
    if (peek(cursor) == '"') {
        Status status = parse_quoted(cursor, display);
        if (status != OK) return status;
        skip_blanks(cursor);
    } else {
        while (parse_token(cursor, &token) == OK) {
            *display = span_since(cursor, start);
            skip_blanks(cursor);
        }
    }
    return peek(cursor) == '<' ? OK : MISSING;
}

/* <uri>, or a URI alone. */
static Status parse_address_uri(Cursor *cursor, Uri *uri)
{
    if (!take(cursor, '<')) return parse_uri(cursor, false, uri);
    skip_blanks(cursor);
    Status status = parse_uri(cursor, true, uri);
    if (status != OK) return status == MISSING ? MALFORMED : status;
    skip_blanks(cursor);
    return take(cursor, '>') ? OK : MALFORMED;
}

static Status parse_address(Cursor *cursor, Address *address)
{
    *address = (Address){0};
    skip_blanks(cursor);
    int start = cursor->at;
    Status status = parse_display_name(cursor, &address->display);
    if (status == MALFORMED) return status;
    if (status == MISSING) {
        cursor->at = start;
        address->display = (Span){start, 0};
    }
    status = parse_address_uri(cursor, &address->uri);
    if (status != OK) return status;
    return parse_parameters(cursor, &address->parameters);
}

/* From and To hold one address, Contact several, of which the first is kept, or a star. */
static Status parse_contact(Cursor *cursor, Address *contact)
{
    skip_blanks(cursor);
    if (take(cursor, '*')) return OK;
    Status status = parse_address(cursor, contact);
    while (status == OK && take_separator(cursor, ',')) {
        Address another;
        status = parse_address(cursor, &another);
    }
    return status;
}

static Status parse_protocol(Cursor *cursor, Span *transport)
{
    Span name, version;
    if (parse_token(cursor, &name) != OK || !span_is(cursor, name, "SIP")) return MALFORMED;
    if (!take_separator(cursor, '/')) return MALFORMED;
    if (parse_token(cursor, &version) != OK || !span_is(cursor, version, "2.0")) return MALFORMED;
    if (!take_separator(cursor, '/')) return MALFORMED;
    return parse_token(cursor, transport);
}

static Status parse_ttl(const Cursor *cursor, Span text, int *ttl)
{
    Cursor digits = cursor_at(cursor, text.at);
    Status status = parse_number(&digits, 255, ttl);
    return status == OK && digits.at != text.at + text.length ? MALFORMED : status;
}

static Status parse_via_parameters(Cursor *cursor, Via *via)
{
    via->ttl = NO_NUMBER;
    Status status = parse_parameters(cursor, &via->parameters);
    if (status != OK || via->parameters.ttl.length == 0) return status;
    return parse_ttl(cursor, via->parameters.ttl, &via->ttl);
}

/* The protocol may be left out: then it is UDP. */
static Status parse_via(Cursor *cursor, Via *via)
{
    *via = (Via){0};
    int start = cursor->at;
    if (parse_protocol(cursor, &via->transport) != OK) {
        cursor->at = start;
        via->transport = (Span){start, 0};
    }
    skip_blanks(cursor);
    Status status = parse_host(cursor, &via->host);
    if (status != OK) return status;
    return parse_via_parameters(cursor, via);
}

/* Of several the first is kept: it is the one that we answer to. */
static Status parse_vias(Cursor *cursor, Via *first, int *count)
{
    Status status = OK;
    skip_blanks(cursor);
    do {
        Via via;
        if (*count == MAX_VIAS) return TOO_MANY;
        status = parse_via(cursor, *count == 0 ? first : &via);
        ++*count;
    } while (status == OK && take_separator(cursor, ','));
    return status;
}

static Method find_method(const Cursor *cursor, Span name)
{
    static const char *const names[] = {"INVITE", "ACK", "BYE", "CANCEL", "OPTIONS", "REGISTER"};
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++)
        if (span_is(cursor, name, names[i])) return (Method)(METHOD_INVITE + i);
    return METHOD_OTHER;
}

static Status parse_sequence(Cursor *cursor, Sequence *sequence)
{
    skip_blanks(cursor);
    Status status = parse_number(cursor, MAX_NUMBER, &sequence->number);
    if (status != OK) return status;
    skip_blanks(cursor);
    status = parse_token(cursor, &sequence->name);
    if (status == OK) sequence->method = find_method(cursor, sequence->name);
    return status;
}

static Status parse_number_value(Cursor *cursor, int most, int *number)
{
    skip_blanks(cursor);
    return parse_number(cursor, most, number);
}

/* word or word@word */
static Status parse_call_id(Cursor *cursor, Span *call_id)
{
    Span word;
    skip_blanks(cursor);
    int start = cursor->at;
    Status status = parse_token(cursor, &word);
    if (status == OK && take(cursor, '@')) status = parse_token(cursor, &word);
    *call_id = span_since(cursor, start);
    return status;
}

/* ---- header lines ---- */

static HeaderKind find_header(const Cursor *cursor, Span name)
{
    static const struct {
        HeaderKind kind;
        const char *name, *compact;
    } known[] = {
        {HEADER_FROM, "From", "f"},
        {HEADER_TO, "To", "t"},
        {HEADER_VIA, "Via", "v"},
        {HEADER_CONTACT, "Contact", "m"},
        {HEADER_CALL_ID, "Call-ID", "i"},
        {HEADER_CSEQ, "CSeq", ""},
        {HEADER_CONTENT_LENGTH, "Content-Length", "l"},
        {HEADER_MAX_FORWARDS, "Max-Forwards", ""},
    };
    for (int i = 0; i < (int)(sizeof known / sizeof known[0]); i++)
        if (span_is(cursor, name, known[i].name) || span_is(cursor, name, known[i].compact)) return known[i].kind;
    return HEADER_OTHER;
}

static Status parse_known_value(Cursor *cursor, HeaderKind kind, Message *message)
{
    switch (kind) {
    case HEADER_FROM: return parse_address(cursor, &message->from);
    case HEADER_TO: return parse_address(cursor, &message->to);
    case HEADER_VIA: return parse_vias(cursor, &message->via, &message->via_count);
    case HEADER_CONTACT: return parse_contact(cursor, &message->contact);
    case HEADER_CALL_ID: return parse_call_id(cursor, &message->call_id);
    case HEADER_CSEQ: return parse_sequence(cursor, &message->sequence);
    case HEADER_CONTENT_LENGTH: return parse_number_value(cursor, 65535, &message->content_length);
    case HEADER_MAX_FORWARDS: return parse_number_value(cursor, 255, &message->max_forwards);
    default: break;
    }
    skip_to_line_end(cursor);
    return OK;
}

/* To the end of its line. */
static Status parse_value(Cursor *cursor, HeaderKind kind, Message *message)
{
    Status status = parse_known_value(cursor, kind, message);
    if (status != OK) return status;
    skip_blanks(cursor);
    return is_end(cursor) || skip_line_end(cursor) ? OK : MALFORMED;
}

static Status parse_header_name(Cursor *cursor, Span *name)
{
    Status status = parse_token(cursor, name);
    if (status != OK) return status;
    skip_blanks(cursor);
    return take(cursor, ':') ? OK : MALFORMED;
}

static Status parse_header(Cursor *cursor, Message *message)
{
    Span name;
    Status status = parse_header_name(cursor, &name);
    if (status != OK) return status;
    message->header_count++;
    return parse_value(cursor, find_header(cursor, name), message);
}

/* Up to a blank line, which is taken, or the end. */
static Status parse_headers(Cursor *cursor, Message *message)
{
    while (!is_end(cursor) && !skip_line_end(cursor)) {
        Status status = parse_header(cursor, message);
        if (status != OK) return status;
    }
    return OK;
}

/* ---- messages ---- */

static Status parse_status_line(Cursor *cursor, StartLine *start)
{
    skip_blanks(cursor);
    int begin = cursor->at;
    Status status = parse_number(cursor, 699, &start->code);
    if (status != OK) return status;
    if (cursor->at - begin != 3 || start->code < 100) return OUT_OF_RANGE;
    skip_blanks(cursor);
    begin = cursor->at;
    skip_to_line_end(cursor);
    start->reason = span_since(cursor, begin);
    return OK;
}

static Status parse_request_line(Cursor *cursor, StartLine *start)
{
    Status status = parse_token(cursor, &start->name);
    if (status != OK) return status;
    start->method = find_method(cursor, start->name);
    if (!is_blank(peek(cursor))) return MALFORMED;
    skip_blanks(cursor);
    status = parse_uri(cursor, true, &start->uri);
    if (status != OK) return status;
    skip_blanks(cursor);
    start->has_version = take_word(cursor, "SIP/2.0");
    return OK;
}

static Status parse_start_line(Cursor *cursor, StartLine *start)
{
    Status status;
    start->is_response = start->has_version = take_word(cursor, "SIP/2.0 ");
    if (start->is_response) status = parse_status_line(cursor, start);
    else status = parse_request_line(cursor, start);
    if (status != OK) return status;
    skip_blanks(cursor);
    return is_end(cursor) || skip_line_end(cursor) ? OK : MALFORMED;
}

static void take_body(Cursor *cursor, Message *message)
{
    message->body = (Span){cursor->at, cursor->length - cursor->at};
    cursor->at = cursor->length;
}

/* What must hold of a message whose parts could all be read. */
static Status check_message(const Cursor *cursor, const Message *message)
{
    if (message->from.parameters.tag.length == 0 || message->call_id.length == 0) return MISSING;
    if (message->via_count == 0 || message->sequence.number == NO_NUMBER) return MISSING;
    if (message->content_length != NO_NUMBER && message->content_length != message->body.length) return MALFORMED;
    if (message->start.is_response) return OK;
    if (message->max_forwards == NO_NUMBER || !message->start.has_version) return MISSING;
    return spans_equal(cursor, message->start.name, message->sequence.name) ? OK : MALFORMED;
}

static void clear_message(Message *message)
{
    *message = (Message){0};
    message->sequence.number = NO_NUMBER;
    message->content_length = NO_NUMBER;
    message->max_forwards = NO_NUMBER;
}

static Status parse_message(Cursor *cursor, Message *message)
{
    clear_message(message);
    Status status = parse_start_line(cursor, &message->start);
    if (status == OK) status = parse_headers(cursor, message);
    if (status != OK) return status;
    take_body(cursor, message);
    return check_message(cursor, message);
}

static Status parse_packet(Cursor *cursor)
{
    Message message;
    skip_blank_lines(cursor);
    return is_end(cursor) ? OK : parse_message(cursor, &message);
}

/* ---- what is asked for ---- */

static Status parse_header_lines(Cursor *cursor)
{
    Message message;
    clear_message(&message);
    return parse_headers(cursor, &message);
}

static Status parse_part(Cursor *cursor, int part)
{
    Via via;
    Uri uri = {0};
    Address address;
    int count = 0;
    switch (part) {
    case 1: return parse_header_lines(cursor);
    case 2: return parse_vias(cursor, &via, &count);
    case 3: return parse_uri(cursor, true, &uri);
    case 4: return parse_address(cursor, &address);
    default: return parse_packet(cursor);
    }
}

int main(void)
{
    char packet[SIZE];
    clew_make_symbolic(packet, SIZE, "packet");
    Cursor cursor = {packet, SIZE, 0};
    return parse_part(&cursor, PART);
}
