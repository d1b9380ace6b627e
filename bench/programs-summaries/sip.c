/* A parser for messages in the manner of SIP (RFC 3261), over a packet of exactly SIZE bytes.
 *
 * It is as tolerant as parsers of a living protocol are: blank lines between messages are keep-alives, any token is a method or the name of
 * a header, lines end in CR LF, LF or CR, a request may lack its version, a line that cannot be read is counted and passed over, a message
 * may begin in the middle of its headers (the rest came in an earlier packet), and one packet holds several messages.  So the number of
 * paths grows by a factor of about nine with every byte.  Nothing is copied: what is found is a Span of the packet.
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

enum { END = -1, NO_PORT = 0, NO_NUMBER = -1, MAX_PARAMETERS = 4, MAX_VIAS = 4, MAX_HEADERS = 8, MAX_PORT = 65535 };

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
    Parameter items[MAX_PARAMETERS];
    int count;
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
    Span tag;
} Address;

typedef struct Via {
    Span transport;
    Host host;
    Parameters parameters;
    Span branch;
    Span received;
    int ttl;
} Via;

typedef struct Sequence {
    int number;
    Method method;
    Span name;
} Sequence;

typedef struct Header {
    HeaderKind kind;
    Span name;
    Span value;
} Header;

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
    bool is_partial; /* its start line is not in this packet */
    StartLine start;
    Header headers[MAX_HEADERS];
    int header_count;
    int bad_lines;
    Address from;
    Address to;
    Address contact;
    Via vias[MAX_VIAS];
    int via_count;
    Span call_id;
    Sequence sequence;
    int content_length;
    int max_forwards;
    Span body;
} Message;

typedef struct Tally {
    int keep_alives;
    int complete;
    int incomplete;
    int refused;
} Tally;

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

/* The same text with another end: for what stands inside of one header. */
static Cursor cursor_within(const Cursor *cursor, Span span)
{
    Cursor inner = {cursor->data, span.at + span.length, span.at};
    return inner;
}

static void skip_blanks(Cursor *cursor)
{
    while (is_blank(peek(cursor))) cursor->at++;
}

/* In the value of a header, where the end of a line can only be one that is folded. */
static void skip_spaces(Cursor *cursor)
{
    while (is_blank(peek(cursor)) || is_line_end(peek(cursor))) cursor->at++;
}

static bool skip_line_end(Cursor *cursor)
{
    if (take(cursor, '\n')) return true;
    if (!take(cursor, '\r')) return false;
    take(cursor, '\n');
    return true;
}

static void skip_line(Cursor *cursor)
{
    while (!is_end(cursor) && !is_line_end(peek(cursor))) cursor->at++;
    skip_line_end(cursor);
}

static int skip_blank_lines(Cursor *cursor)
{
    int count = 0;
    while (skip_line_end(cursor)) count++;
    return count;
}

/* After spaces, and takes the spaces that follow. */
static bool take_separator(Cursor *cursor, int wanted)
{
    int start = cursor->at;
    skip_spaces(cursor);
    if (!take(cursor, wanted)) {
        cursor->at = start;
        return false;
    }
    skip_spaces(cursor);
    return true;
}

/* ---- spans ---- */

static bool span_is(const Cursor *cursor, Span span, const char *text)
{
    for (int i = 0; i < span.length; i++) {
        if (text[i] == 0) return false;
        if (!is_same((unsigned char)cursor->data[span.at + i], text[i])) return false;
    }
    return text[span.length] == 0;
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

/* Takes all of the digits, also of a number that is too large. */
static Status parse_number(Cursor *cursor, int most, int *number)
{
    if (!is_digit(peek(cursor))) return MISSING;
    Status status = OK;
    *number = 0;
    for (; is_digit(peek(cursor)); cursor->at++) {
        int digit = peek(cursor) - '0';
        if (*number > (most - digit) / 10) {
            *number = most;
            status = OUT_OF_RANGE;
        } else {
            *number = *number * 10 + digit;
        }
    }
    return status;
}

/* The span is what stands between the quotes, escapes as they are. */
static Status parse_quoted(Cursor *cursor, Span *text)
{
    if (!take(cursor, '"')) return MISSING;
    int start = cursor->at;
    while (!is_end(cursor)) {
        if (peek(cursor) == '"') {
            *text = span_since(cursor, start);
            cursor->at++;
            return OK;
        }
        if (take(cursor, '\\') && (is_end(cursor) || is_line_end(peek(cursor)))) return MALFORMED;
        cursor->at++;
    }
    return MALFORMED;
}

/* Two digits after a percent sign. */
static bool take_escape(Cursor *cursor)
{
    int start = cursor->at;
    if (!take(cursor, '%')) return false;
    for (int i = 0; i < 2; i++) {
        if (!is_hex_digit(peek(cursor))) {
            cursor->at = start;
            return false;
        }
        cursor->at++;
    }
    return true;
}

static Span parse_user_text(Cursor *cursor)
{
    int start = cursor->at;
    for (;;) {
        if (is_user_char(peek(cursor))) cursor->at++;
        else if (!take_escape(cursor)) break;
    }
    return span_since(cursor, start);
}

static Span parse_uri_text(Cursor *cursor)
{
    int start = cursor->at;
    for (;;) {
        if (is_uri_char(peek(cursor))) cursor->at++;
        else if (!take_escape(cursor)) break;
    }
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
    while (is_hex_digit(peek(cursor)) || is_one_of(peek(cursor), ":.")) {
        if (peek(cursor) == ':') colons++;
        cursor->at++;
    }
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
    while (is_alphanumeric(peek(cursor)) || peek(cursor) == '-') {
        last = peek(cursor);
        cursor->at++;
    }
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
        if (is_octet) octets++;
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

static void add_parameter(Parameters *parameters, Parameter parameter)
{
    if (parameters->count < MAX_PARAMETERS) parameters->items[parameters->count++] = parameter;
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
        add_parameter(parameters, parameter);
    }
    return OK;
}

static bool find_parameter(const Cursor *cursor, const Parameters *parameters, const char *name, Span *value)
{
    for (int i = 0; i < parameters->count; i++) {
        if (span_is(cursor, parameters->items[i].name, name)) {
            *value = parameters->items[i].value;
            return true;
        }
    }
    return false;
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
        add_parameter(parameters, field);
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
        add_parameter(headers, field);
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
    while (is_alphanumeric(peek(cursor)) || is_one_of(peek(cursor), "+-.")) cursor->at++;
    Span name = span_since(cursor, start);
    if (!take(cursor, ':')) return MALFORMED;
    *scheme = span_is(cursor, name, "sip") ? SCHEME_SIP : span_is(cursor, name, "sips") ? SCHEME_SIPS : SCHEME_OTHER;
    return OK;
}

/* Of another scheme: up to a space or an angle bracket. */
static Status parse_opaque(Cursor *cursor, Uri *uri)
{
    int start = cursor->at;
    while (!is_end(cursor) && peek(cursor) > ' ' && !is_one_of(peek(cursor), "<>\"")) cursor->at++;
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
        skip_spaces(cursor);
    } else {
        while (parse_token(cursor, &token) == OK) {
            *display = span_since(cursor, start);
            skip_spaces(cursor);
        }
    }
    return peek(cursor) == '<' ? OK : MISSING;
}

/* <uri>, or a URI alone. */
static Status parse_address_uri(Cursor *cursor, Uri *uri)
{
    if (!take(cursor, '<')) return parse_uri(cursor, false, uri);
    skip_spaces(cursor);
    Status status = parse_uri(cursor, true, uri);
    if (status != OK) return status == MISSING ? MALFORMED : status;
    skip_spaces(cursor);
    return take(cursor, '>') ? OK : MALFORMED;
}

static Status parse_address(Cursor *cursor, Address *address)
{
    *address = (Address){0};
    skip_spaces(cursor);
    int start = cursor->at;
    Status status = parse_display_name(cursor, &address->display);
    if (status == MALFORMED) return status;
    if (status == MISSING) {
        cursor->at = start;
        address->display = (Span){start, 0};
    }
    status = parse_address_uri(cursor, &address->uri);
    if (status != OK) return status;
    status = parse_parameters(cursor, &address->parameters);
    if (status == OK) find_parameter(cursor, &address->parameters, "tag", &address->tag);
    return status;
}

/* From and To hold one address, Contact several, of which the first is kept, or a star. */
static Status parse_contact(Cursor *cursor, Address *contact)
{
    skip_spaces(cursor);
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
    Cursor inner = cursor_within(cursor, text);
    Status status = parse_number(&inner, 255, ttl);
    return status == OK && !is_end(&inner) ? MALFORMED : status;
}

static Status parse_via_parameters(Cursor *cursor, Via *via)
{
    Span ttl;
    via->ttl = NO_NUMBER;
    Status status = parse_parameters(cursor, &via->parameters);
    if (status != OK) return status;
    find_parameter(cursor, &via->parameters, "branch", &via->branch);
    find_parameter(cursor, &via->parameters, "received", &via->received);
    if (find_parameter(cursor, &via->parameters, "ttl", &ttl)) return parse_ttl(cursor, ttl, &via->ttl);
    return OK;
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
    skip_spaces(cursor);
    Status status = parse_host(cursor, &via->host);
    if (status != OK) return status;
    return parse_via_parameters(cursor, via);
}

static Status parse_vias(Cursor *cursor, Via *vias, int *count)
{
    skip_spaces(cursor);
    do {
        if (*count == MAX_VIAS) return TOO_MANY;
        Status status = parse_via(cursor, &vias[*count]);
        if (status != OK) return status;
        ++*count;
    } while (take_separator(cursor, ','));
    return OK;
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
    skip_spaces(cursor);
    Status status = parse_number(cursor, 0x7fffffff, &sequence->number);
    if (status != OK) return status;
    skip_spaces(cursor);
    status = parse_token(cursor, &sequence->name);
    if (status == OK) sequence->method = find_method(cursor, sequence->name);
    return status;
}

static Status parse_number_value(Cursor *cursor, int most, int *number)
{
    skip_spaces(cursor);
    return parse_number(cursor, most, number);
}

/* word or word@word */
static Status parse_call_id(Cursor *cursor, Span *call_id)
{
    Span word;
    skip_spaces(cursor);
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

/* Up to the end of the line, and of every line after it that begins with a blank. */
static Span take_value(Cursor *cursor)
{
    int start = cursor->at, end;
    do {
        while (!is_end(cursor) && !is_line_end(peek(cursor))) cursor->at++;
        end = cursor->at;
    } while (skip_line_end(cursor) && is_blank(peek(cursor)));
    return (Span){start, end - start};
}

static Status parse_known_value(Cursor *cursor, HeaderKind kind, Message *message)
{
    switch (kind) {
    case HEADER_FROM: return parse_address(cursor, &message->from);
    case HEADER_TO: return parse_address(cursor, &message->to);
    case HEADER_VIA: return parse_vias(cursor, message->vias, &message->via_count);
    case HEADER_CONTACT: return parse_contact(cursor, &message->contact);
    case HEADER_CALL_ID: return parse_call_id(cursor, &message->call_id);
    case HEADER_CSEQ: return parse_sequence(cursor, &message->sequence);
    case HEADER_CONTENT_LENGTH: return parse_number_value(cursor, 65535, &message->content_length);
    case HEADER_MAX_FORWARDS: return parse_number_value(cursor, 255, &message->max_forwards);
    default: break;
    }
    cursor->at = cursor->length;
    return OK;
}

static Status parse_value(const Cursor *cursor, const Header *header, Message *message)
{
    Cursor inner = cursor_within(cursor, header->value);
    Status status = parse_known_value(&inner, header->kind, message);
    if (status != OK) return status;
    skip_spaces(&inner);
    return is_end(&inner) ? OK : MALFORMED;
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
    Header header;
    Status status = parse_header_name(cursor, &header.name);
    if (status != OK) {
        skip_line(cursor);
        return status;
    }
    header.kind = find_header(cursor, header.name);
    header.value = take_value(cursor);
    if (message->header_count < MAX_HEADERS) message->headers[message->header_count++] = header;
    return parse_value(cursor, &header, message);
}

/* Up to a blank line, which is taken, or the end. */
static void parse_headers(Cursor *cursor, Message *message)
{
    while (!is_end(cursor) && !skip_line_end(cursor))
        if (parse_header(cursor, message) != OK) message->bad_lines++;
}

/* ---- messages ---- */

static bool is_header_line(Cursor cursor)
{
    Span name;
    return parse_header_name(&cursor, &name) == OK;
}

static Status parse_status_line(Cursor *cursor, StartLine *start)
{
    skip_blanks(cursor);
    int begin = cursor->at;
    Status status = parse_number(cursor, 699, &start->code);
    if (status != OK) return status;
    if (cursor->at - begin != 3 || start->code < 100) return OUT_OF_RANGE;
    skip_blanks(cursor);
    begin = cursor->at;
    while (!is_end(cursor) && !is_line_end(peek(cursor))) cursor->at++;
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

static Status take_body(Cursor *cursor, Message *message)
{
    int start = cursor->at, rest = cursor->length - cursor->at;
    if (message->content_length == NO_NUMBER) message->content_length = 0;
    bool is_whole = message->content_length <= rest;
    cursor->at += is_whole ? message->content_length : rest;
    message->body = span_since(cursor, start);
    return is_whole ? OK : MISSING;
}

/* What must hold of a message whose parts could all be read. */
static Status check_message(const Cursor *cursor, const Message *message)
{
    if (message->is_partial || message->bad_lines > 0) return MALFORMED;
    if (message->from.tag.length == 0 || message->call_id.length == 0) return MISSING;
    if (message->via_count == 0 || message->sequence.number == NO_NUMBER) return MISSING;
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
    message->is_partial = is_header_line(*cursor);
    if (!message->is_partial) {
        Status status = parse_start_line(cursor, &message->start);
        if (status != OK) {
            skip_line(cursor);
            return status;
        }
    }
    parse_headers(cursor, message);
    Status status = take_body(cursor, message);
    if (status != OK) return status;
    return check_message(cursor, message);
}

static Tally parse_packet(Cursor *cursor)
{
    Tally tally = {0};
    for (;;) {
        Message message;
        tally.keep_alives += skip_blank_lines(cursor);
        if (is_end(cursor)) return tally;
        Status status = parse_message(cursor, &message);
        if (status == OK) tally.complete++;
        else if (status == MISSING) tally.incomplete++;
        else tally.refused++;
    }
}

/* ---- what is asked for ---- */

static Status parse_all(Cursor *cursor)
{
    Tally tally = parse_packet(cursor);
    if (tally.refused > 0) return MALFORMED;
    return tally.incomplete > 0 ? MISSING : OK;
}

static Status parse_header_lines(Cursor *cursor)
{
    Message message;
    clear_message(&message);
    parse_headers(cursor, &message);
    return message.bad_lines > 0 ? MALFORMED : OK;
}

static Status parse_part(Cursor *cursor, int part)
{
    Via vias[MAX_VIAS];
    Uri uri = {0};
    Address address;
    int count = 0;
    switch (part) {
    case 1: return parse_header_lines(cursor);
    case 2: return parse_vias(cursor, vias, &count);
    case 3: return parse_uri(cursor, true, &uri);
    case 4: return parse_address(cursor, &address);
    default: return parse_all(cursor);
    }
}

int main(void)
{
    char packet[SIZE];
    clew_make_symbolic(packet, SIZE, "packet");
    Cursor cursor = {packet, SIZE, 0};
    return parse_part(&cursor, PART);
}
