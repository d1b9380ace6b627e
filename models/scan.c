/* The scanner behind the scanf functions.  One byte can be given back, as on a stream; the rules where a conversion stops are glibc's,
 * which reads one byte past the number and no further.  Integers are computed as their digits arrive; of floats the text is collected
 * first. */
#include "internal.h"

#include <errno.h>
#include <wchar.h>

enum { SAFE_DIGITS = 12, NUMBER_ROOM = 512 };
typedef enum Size { SIZE_INT, SIZE_CHAR, SIZE_SHORT, SIZE_LONG, SIZE_LONG_DOUBLE } Size;
typedef enum Outcome { OK, NO_MATCH, NO_INPUT } Outcome;

typedef struct Spec {
    bool suppress, allocate;
    int64_t width; /* -1: none */
    Size size;
    char conversion;
} Spec;

typedef struct Scanner {
    ClewSource *source;
    int64_t count; /* bytes read */
    int c;         /* the last one */
} Scanner;

static int next(Scanner *s)
{
    s->c = s->source->next(s->source);
    if (s->c != -1) s->count++;
    return s->c;
}

static void give_back(Scanner *s)
{
    if (s->c == -1) return;
    s->source->back(s->source, s->c);
    s->count--;
}

static void skip_space(Scanner *s)
{
    while (is_space(next(s))) continue;
    give_back(s);
}

static bool take_width(int64_t *width)
{
    if (*width == 0) return false;
    if (*width > 0) --*width;
    return true;
}

/* ---- integers ---- */

typedef struct Number {
    uint64_t magnitude;
    int digits;
    bool negative, overflow;
} Number;

static void add_digit(Number *number, unsigned base, unsigned digit)
{
    if (number->digits++ >= SAFE_DIGITS) {
        uint64_t product;
        number->overflow |= __builtin_mul_overflow(number->magnitude, (uint64_t)base, &product);
        number->overflow |= __builtin_add_overflow(product, (uint64_t)digit, &number->magnitude);
    } else {
        number->magnitude = number->magnitude * base + digit;
    }
}

static uint64_t signed_value(const Number *number)
{
    uint64_t limit = (uint64_t)INT64_MAX + number->negative;
    if (number->digits > SAFE_DIGITS && (number->overflow | (number->magnitude > limit))) {
        clew__errno = ERANGE;
        return number->negative ? (uint64_t)INT64_MIN : (uint64_t)INT64_MAX;
    }
    return number->negative ? -number->magnitude : number->magnitude;
}

static uint64_t unsigned_value(const Number *number)
{
    if (number->digits > SAFE_DIGITS && number->overflow) {
        clew__errno = ERANGE;
        return UINT64_MAX;
    }
    return number->negative ? -number->magnitude : number->magnitude;
}

static void store_integer(const Spec *spec, void *to, uint64_t value)
{
    switch (spec->size) {
    case SIZE_CHAR: *(uint8_t *)to = (uint8_t)value; break;
    case SIZE_SHORT: *(uint16_t *)to = (uint16_t)value; break;
    case SIZE_INT: *(uint32_t *)to = (uint32_t)value; break;
    default: *(uint64_t *)to = value; break;
    }
}

/* "(nil)" is how a null pointer is printed. */
static bool read_nil(Scanner *s, int64_t width)
{
    static const char rest[] = "nil)";
    if (s->c != '(' || (width >= 0 && width < 5)) return false;
    for (int i = 0; i < 4; i++)
        if (to_lower(next(s)) != rest[i]) return false;
    return true;
}

static Outcome read_integer(Scanner *s, const Spec *spec, unsigned base, Number *number)
{
    int64_t width = spec->width;
    if (next(s) == -1) return NO_INPUT;
    bool sign = (s->c == '-') | (s->c == '+');
    if (sign) {
        number->negative = s->c == '-';
        take_width(&width);
        next(s);
    }
    if (width != 0 && s->c == '0') {
        take_width(&width);
        add_digit(number, 10, 0);
        next(s);
        if (width != 0 && (s->c | 32) == 'x' && s->c != -1) {
            if (base == 0) base = 16;
            if (base == 16) {
                take_width(&width);
                next(s);
            }
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0) base = 10;
    while (s->c != -1 && width != 0) {
        unsigned digit = digit_value(s->c);
        if (digit >= base) break;
        add_digit(number, base, digit);
        take_width(&width);
        next(s);
    }
    if (number->digits == 0) {
        if (!sign && spec->conversion == 'p' && read_nil(s, width)) return OK;
        give_back(s);
        return NO_MATCH;
    }
    give_back(s);
    return OK;
}

static Outcome scan_integer(Scanner *s, Spec *spec, void *to)
{
    Number number = {0};
    unsigned base = 10;
    switch (spec->conversion) {
    case 'i': base = 0; break;
    case 'o': base = 8; break;
    case 'x':
    case 'X': base = 16; break;
    case 'p':
        base = 16;
        spec->size = SIZE_LONG;
        break;
    default: break;
    }
    Outcome outcome = read_integer(s, spec, base, &number);
    if (outcome != OK) return outcome;
    bool is_signed = spec->conversion == 'd' || spec->conversion == 'i';
    uint64_t value = is_signed ? signed_value(&number) : unsigned_value(&number);
    if (!spec->suppress) store_integer(spec, to, value);
    return OK;
}

/* ---- floats ---- */

typedef struct Collected {
    char room[NUMBER_ROOM], *text;
    size_t length, size;
    bool sign, hexadecimal;
} Collected;

static bool collect(Collected *text, int c)
{
    if (text->length + 1 >= text->size) {
        char *grown = clew__malloc(text->size * 2);
        if (!grown) return false;
        bytes_copy(grown, text->text, text->length);
        if (text->text != text->room) clew__free(text->text);
        text->text = grown;
        text->size *= 2;
    }
    text->text[text->length++] = (char)c;
    text->text[text->length] = 0;
    return true;
}

/* The rest of a word of which the first letter has been read. */
static bool read_letters(Scanner *s, int64_t *width, const char *letters, Collected *text)
{
    for (; *letters; letters++) {
        if (*width == 0 || to_lower(next(s)) != *letters) return false;
        take_width(width);
        collect(text, s->c);
    }
    return true;
}

static Outcome read_infinity(Scanner *s, int64_t width, Collected *text)
{
    collect(text, s->c);
    if (!read_letters(s, &width, "nf", text)) return NO_MATCH;
    if (width != 0 && next(s) != -1) {
        if (to_lower(s->c) != 'i') {
            give_back(s);
            return OK;
        }
        take_width(&width);
        collect(text, s->c);
        if (!read_letters(s, &width, "nity", text)) return NO_MATCH;
    }
    return OK;
}

static Outcome read_digits(Scanner *s, int64_t width, Collected *text)
{
    int exponent_letter = 'e';
    bool digit = false, dot = false, exponent = false;
    if (width != 0 && s->c == '0') {
        collect(text, '0');
        next(s);
        take_width(&width);
        if (width != 0 && to_lower(s->c) == 'x') {
            collect(text, s->c);
            text->hexadecimal = true;
            exponent_letter = 'p';
            next(s);
            take_width(&width);
        } else {
            digit = true;
        }
    }
    for (;;) {
        int c = s->c;
        if (is_digit(c) || (!exponent && text->hexadecimal && digit_value(c) < 16)) {
            digit = true;
        } else if (exponent && text->text[text->length - 1] == exponent_letter && ((c == '-') | (c == '+'))) {
            ;
        } else if (digit && !exponent && to_lower(c) == exponent_letter) {
            exponent = dot = true;
            c = exponent_letter;
        } else if (!dot && c == '.') {
            dot = true;
        } else {
            give_back(s);
            break;
        }
        if (!collect(text, c)) return NO_MATCH;
        if (width == 0 || next(s) == -1) break;
        take_width(&width);
    }
    size_t prefix = (size_t)text->sign + (text->hexadecimal ? 2 : 0);
    return text->length == prefix ? NO_MATCH : OK;
}

static Outcome read_float(Scanner *s, const Spec *spec, Collected *text)
{
    int64_t width = spec->width;
    if (next(s) == -1) return NO_INPUT;
    take_width(&width);
    if ((s->c == '-') | (s->c == '+')) {
        text->sign = true;
        collect(text, s->c);
        if (width == 0 || next(s) == -1) return NO_MATCH;
        take_width(&width);
    }
    if (to_lower(s->c) == 'n') {
        collect(text, s->c);
        return read_letters(s, &width, "an", text) ? OK : NO_MATCH;
    }
    if (to_lower(s->c) == 'i') return read_infinity(s, width, text);
    return read_digits(s, width, text);
}

static Outcome store_float(const Spec *spec, const char *text, void *to)
{
    char *end;
    if (spec->size == SIZE_LONG_DOUBLE) {
        long double value = clew__parse_long_double(text, &end);
        if (!spec->suppress && end != text) *(long double *)to = value;
    } else if (spec->size == SIZE_LONG) {
        double value = clew__parse_double(text, &end);
        if (!spec->suppress && end != text) *(double *)to = value;
    } else {
        float value = clew__parse_float(text, &end);
        if (!spec->suppress && end != text) *(float *)to = value;
    }
    return end == text ? NO_MATCH : OK;
}

static Outcome scan_float(Scanner *s, const Spec *spec, void *to)
{
    Collected text;
    text.text = text.room;
    text.size = sizeof text.room;
    text.length = 0;
    text.sign = text.hexadecimal = false;
    text.room[0] = 0;
    Outcome outcome = read_float(s, spec, &text);
    if (outcome == OK) outcome = store_float(spec, text.text, to);
    if (text.text != text.room) clew__free(text.text);
    return outcome;
}

/* ---- text ---- */

/* Where bytes or wide characters go: the caller's array, one that grows, or nowhere. */
typedef struct Target {
    const Spec *spec;
    void *to; /* the array, or with `allocate` the pointer to set */
    char *grown;
    size_t length, capacity, unit;
} Target;

static bool store_character(Target *target, int c)
{
    const Spec *spec = target->spec;
    if (spec->suppress) return true;
    char *base = target->to;
    if (spec->allocate) {
        if (target->length == target->capacity) {
            size_t capacity = target->capacity ? target->capacity * 2 : 100;
            char *grown = clew__realloc(target->grown, capacity * target->unit);
            if (!grown) return false;
            target->grown = grown;
            target->capacity = capacity;
        }
        base = target->grown;
    }
    if (target->unit == 1) base[target->length] = (char)c;
    else ((wchar_t *)(void *)base)[target->length] = c;
    target->length++;
    return true;
}

static Outcome finish(Target *target, bool terminate, Outcome outcome)
{
    const Spec *spec = target->spec;
    if (outcome == OK && terminate && !store_character(target, 0)) outcome = NO_INPUT;
    if (!spec->allocate || spec->suppress) return outcome;
    if (outcome != OK) {
        clew__free(target->grown);
        return outcome;
    }
    char *exact = clew__realloc(target->grown, target->length * target->unit);
    *(char **)target->to = exact ? exact : target->grown;
    return OK;
}

/* Bytes beyond ASCII are no wide characters in the C locale. */
static bool acceptable(const Target *target, int c)
{
    if (target->unit == 1 || c < 128) return true;
    clew__errno = EILSEQ;
    return false;
}

static Outcome scan_characters(Scanner *s, const Spec *spec, Target *target)
{
    int64_t width = spec->width < 0 ? 1 : spec->width;
    if (next(s) == -1) return finish(target, false, NO_INPUT);
    do {
        if (!acceptable(target, s->c)) return finish(target, false, NO_MATCH);
        if (!store_character(target, s->c)) return finish(target, false, NO_INPUT);
    } while (--width > 0 && next(s) != -1);
    return finish(target, false, OK);
}

static Outcome scan_word(Scanner *s, const Spec *spec, Target *target)
{
    int64_t width = spec->width;
    if (next(s) == -1) return NO_INPUT;
    do {
        if (is_space(s->c)) {
            give_back(s);
            break;
        }
        if (!acceptable(target, s->c)) return finish(target, false, NO_MATCH);
        if (!store_character(target, s->c)) return finish(target, false, NO_INPUT);
        if (width > 0 && --width == 0) break;
    } while (next(s) != -1);
    return finish(target, true, OK);
}

/* Is the byte in the set between the brackets?  A '-' that is not first stands for what lies between its neighbours, however they came
 * there.  Branches depend on the set alone. */
static bool in_set(const char *set, const char *end, int c)
{
    bool found = false;
    for (const char *p = set; p < end; p++) {
        bool range = *p == '-' && p > set && p + 1 < end && (unsigned char)p[-1] <= (unsigned char)p[1];
        if (range) found |= (c >= (unsigned char)p[-1]) & (c < (unsigned char)p[1]);
        else found |= c == (unsigned char)*p;
    }
    return found;
}

static Outcome scan_set(Scanner *s, const Spec *spec, const char **format, Target *target)
{
    int64_t width = spec->width;
    const char *set = *format;
    bool negated = *set == '^';
    if (negated) set++;
    const char *end = set;
    if (*end == ']') end++;
    while (*end && *end != ']') end++;
    if (!*end) return NO_MATCH;
    *format = end + 1;
    if (next(s) == -1) return NO_INPUT;
    size_t matched = 0;
    do {
        if (in_set(set, end, s->c) == negated) {
            give_back(s);
            break;
        }
        if (!acceptable(target, s->c)) return finish(target, false, NO_MATCH);
        if (!store_character(target, s->c)) return finish(target, false, NO_INPUT);
        matched++;
        if (width > 0 && --width == 0) break;
    } while (next(s) != -1);
    return finish(target, true, matched ? OK : NO_MATCH);
}

/* ---- the format ---- */

static void read_size(const char **format, Spec *spec, bool gnu_a)
{
    for (;; ++*format) {
        switch (**format) {
        case 'h': spec->size = spec->size == SIZE_SHORT ? SIZE_CHAR : SIZE_SHORT; break;
        case 'l': spec->size = spec->size == SIZE_LONG ? SIZE_LONG_DOUBLE : SIZE_LONG; break;
        case 'L':
        case 'q': spec->size = SIZE_LONG_DOUBLE; break;
        case 'j':
        case 'z':
        case 'Z':
        case 't': spec->size = SIZE_LONG; break;
        case 'm': spec->allocate = true; break;
        case 'a':
            if (!gnu_a || ((*format)[1] != 's' && (*format)[1] != 'S' && (*format)[1] != '[')) return;
            spec->allocate = true;
            break;
        default: return;
        }
    }
}

static int64_t read_number(const char **format)
{
    int64_t value = 0;
    for (; is_digit(**format); ++*format)
        if (value < INT32_MAX) value = value * 10 + (**format - '0');
    return value;
}

/* What follows a '%'; *position is the number before a '$', else 0. */
static void read_spec(const char **format, Spec *spec, int64_t *position, bool gnu_a)
{
    *spec = (Spec){.width = -1};
    *position = 0;
    if (is_digit(**format)) {
        int64_t number = read_number(format);
        if (**format == '$') {
            ++*format;
            *position = number;
        } else {
            spec->width = number ? number : -1;
        }
    }
    for (; **format == '*' || **format == '\'' || **format == 'I'; ++*format)
        if (**format == '*') spec->suppress = true;
    if (is_digit(**format)) {
        int64_t number = read_number(format);
        spec->width = number ? number : -1;
    }
    read_size(format, spec, gnu_a);
    spec->conversion = **format;
    if (spec->conversion == 'C' || spec->conversion == 'S') {
        spec->conversion = spec->conversion == 'C' ? 'c' : 's';
        spec->size = SIZE_LONG;
    }
    if (**format) ++*format;
}

static void *argument_at(va_list *all, int64_t position)
{
    va_list list;
    void *pointer = NULL;
    va_copy(list, *all);
    while (position-- > 0) pointer = va_arg(list, void *);
    va_end(list);
    return pointer;
}

static Outcome convert(Scanner *s, Spec *spec, const char **format, void *to)
{
    Target target = {.spec = spec, .to = to, .unit = spec->size == SIZE_LONG ? sizeof(wchar_t) : 1};
    switch (spec->conversion) {
    case 'c': return scan_characters(s, spec, &target);
    case 's': return scan_word(s, spec, &target);
    case '[': return scan_set(s, spec, format, &target);
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p': return scan_integer(s, spec, to);
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return scan_float(s, spec, to);
    default: return NO_MATCH;
    }
}

static Outcome match_literal(Scanner *s, int c)
{
    if (next(s) == -1) return NO_INPUT;
    if (s->c == c) return OK;
    give_back(s);
    return NO_MATCH;
}

/* One conversion; *done counts those that assigned. */
static Outcome conversion(Scanner *s, const char **format, va_list *list, va_list *all, bool gnu_a, int *done)
{
    Spec spec;
    int64_t position;
    read_spec(format, &spec, &position, gnu_a);
    if (spec.conversion != 'c' && spec.conversion != '[' && spec.conversion != 'n' && spec.conversion) skip_space(s);
    if (spec.conversion == '%') return match_literal(s, '%');
    void *to = NULL;
    if (!spec.suppress && spec.conversion) to = position ? argument_at(all, position) : va_arg(*list, void *);
    if (spec.conversion == 'n') {
        if (!spec.suppress) store_integer(&spec, to, (uint64_t)s->count);
        return OK;
    }
    Outcome outcome = convert(s, &spec, format, to);
    if (outcome == OK && !spec.suppress) ++*done;
    return outcome;
}

typedef struct Lists {
    va_list list, all;
} Lists;

int clew__scan(ClewSource *source, const char *format, va_list args, bool gnu_a)
{
    Scanner scanner = {.source = source};
    Outcome outcome = OK;
    int done = 0;
    Lists lists;
    va_copy(lists.list, args);
    va_copy(lists.all, args);
    while (*format && outcome == OK) {
        if (*format == '%') {
            format++;
            outcome = conversion(&scanner, &format, &lists.list, &lists.all, gnu_a, &done);
        } else if (is_space((unsigned char)*format)) {
            while (is_space((unsigned char)*format)) format++;
            skip_space(&scanner);
        } else {
            outcome = match_literal(&scanner, (unsigned char)*format++);
        }
    }
    va_end(lists.list);
    va_end(lists.all);
    return outcome == NO_INPUT && done == 0 ? -1 : done;
}
