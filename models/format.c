/* The formatter behind the printf functions.
 *
 * A format with positions (%2$s) is read twice: first for the types of the arguments, which are then fetched in order.  Any other fetches
 * as it goes.  Integers are turned into digits here, so that inputs flow into the text: the number of digits is found by comparing with
 * powers of ten, each digit is a division by a constant.  Floats go to the native function, one conversion at a time. */
#include "internal.h"

#include <errno.h>
#include <limits.h>
#include <wchar.h>

typedef enum Type { TYPE_NONE, TYPE_INT, TYPE_LONG, TYPE_DOUBLE, TYPE_LONG_DOUBLE } Type;
typedef enum Size { SIZE_INT, SIZE_CHAR, SIZE_SHORT, SIZE_LONG, SIZE_LONG_DOUBLE } Size;

enum { MAX_POSITIONS = 64, NUMBER_ROOM = 96, DECIMAL_MAX = 20 };

typedef union Value {
    uint64_t integer;
    double real;
    long double long_real;
} Value;

typedef struct Spec {
    bool left, plus, space, alternate, zero, group, digits;
    bool left_by_star;    /* a negative width argument, not '-' */
    int width, precision; /* precision -1: none */
    Size size;
    char conversion;
    int position, width_position, precision_position; /* 1.., 0: none */
} Spec;

typedef struct Output {
    ClewSink *sink;
    uint64_t total;
} Output;

typedef struct Arguments {
    va_list list;
    Value *values; /* NULL: fetch from the list */
    int count;
} Arguments;

/* ---- output ---- */

static void put(Output *out, const char *text, size_t n)
{
    if (n) out->sink->put(out->sink, text, n);
    out->total += n;
}

/* In glibc's pieces, so that streams with small buffers write at the same moments. */
static void pad(Output *out, char byte, int64_t n)
{
    char run[16];
    if (n <= 0) return;
    bytes_fill(run, byte, sizeof run);
    for (; n > 0; n -= (int64_t)sizeof run) put(out, run, n < (int64_t)sizeof run ? (size_t)n : sizeof run);
}

static void put_padded(Output *out, const Spec *spec, const char *text, size_t n)
{
    int64_t gap = (int64_t)spec->width - (int64_t)n;
    if (!spec->left) pad(out, ' ', gap);
    put(out, text, n);
    if (spec->left) pad(out, ' ', gap);
}

/* ---- reading the format ---- */

/* A decimal number; -1 when it is too large for an int. */
static int read_number(const char **format)
{
    int64_t value = 0;
    for (; is_digit(**format); ++*format)
        if (value <= INT_MAX) value = value * 10 + (**format - '0');
    return value < INT_MAX ? (int)value : -1;
}

/* "N$" at *format: the position, else 0 and nothing is taken. */
static int read_position(const char **format)
{
    const char *p = *format;
    if (!is_digit(*p)) return 0;
    int position = read_number(&p);
    if (*p != '$' || position <= 0) return 0;
    *format = p + 1;
    return position;
}

static bool read_flag(char c, Spec *spec)
{
    switch (c) {
    case '-': spec->left = true; return true;
    case '+': spec->plus = true; return true;
    case ' ': spec->space = true; return true;
    case '#': spec->alternate = true; return true;
    case '0': spec->zero = true; return true;
    case '\'': spec->group = true; return true;
    case 'I': spec->digits = true; return true;
    default: return false;
    }
}

static void read_size(const char **format, Spec *spec)
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
        default: return;
        }
    }
}

static bool fetch_star(Arguments *arguments, int position, int *value)
{
    if (arguments->values) {
        if (position < 1 || position > arguments->count) return false;
        *value = (int)arguments->values[position - 1].integer;
        return true;
    }
    *value = va_arg(arguments->list, int);
    return true;
}

/* Reads what follows a '%'.  Stars are noted as width_position and precision_position: -1 where they have no number of their own.
 * False when a number is too large. */
static bool read_spec(const char **format, Spec *spec)
{
    *spec = (Spec){.precision = -1};
    spec->position = read_position(format);
    while (read_flag(**format, spec)) ++*format;
    if (**format == '*') {
        ++*format;
        int position = read_position(format);
        spec->width_position = position ? position : -1;
    } else if (is_digit(**format)) {
        spec->width = read_number(format);
        if (spec->width < 0) return false;
    }
    if (**format == '.') {
        ++*format;
        spec->precision = 0;
        if (**format == '*') {
            ++*format;
            int position = read_position(format);
            spec->precision_position = position ? position : -1;
        } else if (is_digit(**format)) {
            spec->precision = read_number(format);
            if (spec->precision < 0) return false;
        }
    }
    read_size(format, spec);
    spec->conversion = **format;
    if (spec->conversion == 'C' || spec->conversion == 'S') {
        spec->conversion = spec->conversion == 'C' ? 'c' : 's';
        spec->size = SIZE_LONG;
    }
    if (**format) ++*format;
    return true;
}

static Type type_of(const Spec *spec)
{
    switch (spec->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X': return spec->size >= SIZE_LONG ? TYPE_LONG : TYPE_INT;
    case 'c': return TYPE_INT;
    case 's':
    case 'p':
    case 'n': return TYPE_LONG;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return spec->size == SIZE_LONG_DOUBLE ? TYPE_LONG_DOUBLE : TYPE_DOUBLE;
    default: return TYPE_NONE;
    }
}

static Value fetch(Arguments *arguments, Type type)
{
    Value value = {0};
    switch (type) {
    case TYPE_NONE: break;
    case TYPE_INT: value.integer = (uint64_t)(int64_t)va_arg(arguments->list, int); break;
    case TYPE_LONG: value.integer = va_arg(arguments->list, uint64_t); break;
    case TYPE_DOUBLE: value.real = va_arg(arguments->list, double); break;
    case TYPE_LONG_DOUBLE: value.long_real = va_arg(arguments->list, long double); break;
    }
    return value;
}

/* ---- integers ---- */

static const uint64_t powers[DECIMAL_MAX] = {1ull,
                                             10ull,
                                             100ull,
                                             1000ull,
                                             10000ull,
                                             100000ull,
                                             1000000ull,
                                             10000000ull,
                                             100000000ull,
                                             1000000000ull,
                                             10000000000ull,
                                             100000000000ull,
                                             1000000000000ull,
                                             10000000000000ull,
                                             100000000000000ull,
                                             1000000000000000ull,
                                             10000000000000000ull,
                                             100000000000000000ull,
                                             1000000000000000000ull,
                                             10000000000000000000ull};

/* Digits end at `end`; returns how many.  The narrow form keeps divisions of ints 32 bits wide. */
static int decimal_narrow(uint32_t value, char *end)
{
    int n = 1;
    while (n < 10 && value >= (uint32_t)powers[n]) n++;
    for (int i = 0; i < n; i++) end[-1 - i] = (char)('0' + value / (uint32_t)powers[i] % 10);
    return n;
}

static int decimal_wide(uint64_t value, char *end)
{
    int n = 1;
    while (n < DECIMAL_MAX && value >= powers[n]) n++;
    for (int i = 0; i < n; i++) end[-1 - i] = (char)('0' + value / powers[i] % 10);
    return n;
}

static int by_bits(uint64_t value, int bits, bool capitals, char *end)
{
    int n = 0;
    char ten = capitals ? 'A' - 10 : 'a' - 10;
    do {
        char digit = (char)(value & ((1u << bits) - 1));
        end[-1 - n++] = (char)(digit + (digit < 10 ? '0' : ten));
        value >>= bits;
    } while (value);
    return n;
}

/* How many digits more, or fewer, the value has than the one shown for it, as an expression without branches. */
static uint64_t digit_count(uint64_t value, int base_bits)
{
    uint64_t n = 1;
    if (base_bits)
        for (int shift = base_bits; shift < 64; shift += base_bits) n += value >> shift != 0;
    else
        for (int i = 1; i < DECIMAL_MAX; i++) n += value >= powers[i];
    return n;
}

static uint64_t narrowed(const Spec *spec, uint64_t value, bool is_signed)
{
    switch (spec->size) {
    case SIZE_CHAR: return is_signed ? (uint64_t)(int64_t)(signed char)value : (unsigned char)value;
    case SIZE_SHORT: return is_signed ? (uint64_t)(int64_t)(short)value : (unsigned short)value;
    case SIZE_INT: return is_signed ? (uint64_t)(int64_t)(int)value : (unsigned)value;
    default: return value;
    }
}

/* Sign or prefix, zeros, digits; padded to the width. */
static void put_number(Output *out, const Spec *spec, const char *prefix, const char *digits, int n)
{
    int prefix_length = (int)text_length(prefix);
    int64_t zeros = spec->precision > n ? spec->precision - n : 0;
    int64_t gap = (int64_t)spec->width - n - zeros - prefix_length;
    if (gap > 0 && spec->zero && !spec->left && spec->precision < 0) {
        zeros += gap;
        gap = 0;
    }
    if (!spec->left) pad(out, ' ', gap);
    put(out, prefix, (size_t)prefix_length);
    pad(out, '0', zeros);
    put(out, digits, (size_t)n);
    if (spec->left) pad(out, ' ', gap);
}

static int base_bits_of(char conversion)
{
    return conversion == 'o' ? 3 : (conversion | 32) == 'x' || conversion == 'p' ? 4 : 0;
}

static void put_magnitude(Output *out, const Spec *spec, const char *sign, uint64_t value)
{
    char room[NUMBER_ROOM], *end = room + NUMBER_ROOM;
    int bits = base_bits_of(spec->conversion), n;
    if (bits) n = by_bits(value, bits, spec->conversion == 'X', end);
    else if (spec->size < SIZE_LONG) n = decimal_narrow((uint32_t)value, end);
    else n = decimal_wide(value, end);
    bool zero = value == 0;
    if (spec->precision == 0 && zero) n = 0;
    if (spec->alternate && bits == 3 && (n == 0 || end[-n] != '0') && spec->precision <= n) end[-1 - n++] = '0';
    const char *prefix = sign;
    char joined[4];
    if (spec->alternate && bits == 4 && !zero) {
        int k = 0;
        if (*sign) joined[k++] = *sign;
        joined[k++] = '0';
        joined[k++] = spec->conversion == 'X' ? 'X' : 'x';
        joined[k] = 0;
        prefix = joined;
    }
    put_number(out, spec, prefix, end - n, n);
}

/* Shown under the current model; the length counted is the true one, unless padding hides it. */
static void put_shown(Output *out, const Spec *spec, const char *sign, uint64_t value)
{
    uint64_t before = out->total, shown = clew__peek(value);
    put_magnitude(out, spec, sign, shown);
    if (spec->width || spec->precision >= 0) return;
    int bits = base_bits_of(spec->conversion);
    out->total = before + (out->total - before) + (digit_count(value, bits) - digit_count(shown, bits));
}

static void put_unsigned(Output *out, const Spec *spec, const char *sign, uint64_t value)
{
    if (out->sink->console && clew__is_symbolic(value)) put_shown(out, spec, sign, value);
    else put_magnitude(out, spec, sign, value);
}

static void put_signed(Output *out, const Spec *spec, int64_t value)
{
    bool negative;
    if (out->sink->console && clew__is_symbolic((uint64_t)value)) {
        negative = (int64_t)clew__peek((uint64_t)value) < 0;
        if (!spec->width && !spec->plus && !spec->space) out->total += (uint64_t)(value < 0) - negative;
    } else {
        negative = value < 0;
    }
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    put_unsigned(out, spec, negative ? "-" : spec->plus ? "+" : spec->space ? " " : "", magnitude);
}

static void put_pointer(Output *out, Spec *spec, uint64_t value)
{
    if (!value) {
        put_padded(out, spec, "(nil)", 5);
        return;
    }
    spec->alternate = true;
    spec->size = SIZE_LONG;
    put_unsigned(out, spec, spec->plus ? "+" : spec->space ? " " : "", value);
}

/* ---- floats ---- */

static void float_format(const Spec *spec, char *text)
{
    char digits[12];
    int n = 0;
    text[n++] = '%';
    if (spec->left) text[n++] = '-';
    if (spec->plus) text[n++] = '+';
    if (spec->space) text[n++] = ' ';
    if (spec->alternate) text[n++] = '#';
    if (spec->zero) text[n++] = '0';
    for (int part = 0; part < 2; part++) {
        int value = part ? spec->precision : spec->width;
        if (part ? value < 0 : value == 0) continue;
        if (part) text[n++] = '.';
        int count = decimal_narrow((uint32_t)value, digits + sizeof digits);
        bytes_copy(text + n, digits + sizeof digits - count, (size_t)count);
        n += count;
    }
    if (spec->size == SIZE_LONG_DOUBLE) text[n++] = 'L';
    text[n++] = spec->conversion;
    text[n] = 0;
}

/* While nobody can read the text back, it is that of the current model and the path is not bound to it. */
static Value shown_float(const Output *out, Value value, bool is_long)
{
    union {
        Value value;
        uint64_t words[2];
    } bits = {.words = {0, 0}};
    if (!out->sink->console) return value;
    bits.value = value;
    bits.words[0] = clew__peek(bits.words[0]);
    if (is_long) bits.words[1] = clew__peek(bits.words[1] & 0xffff);
    return bits.value;
}

static int native_float(char *out, size_t size, const char *format, const Value *value, bool is_long)
{
    return is_long ? clew__snprintf(out, size, format, value->long_real) : clew__snprintf(out, size, format, value->real);
}

static bool put_float(Output *out, const Spec *spec, Value value)
{
    char format[48], room[512];
    bool is_long = spec->size == SIZE_LONG_DOUBLE;
    float_format(spec, format);
    value = shown_float(out, value, is_long);
    int n = native_float(room, sizeof room, format, &value, is_long);
    if (n < 0) return false;
    if ((size_t)n < sizeof room) {
        put(out, room, (size_t)n);
        return true;
    }
    char *text = clew__malloc((size_t)n + 1);
    if (!text) return false;
    native_float(text, (size_t)n + 1, format, &value, is_long);
    put(out, text, (size_t)n);
    clew__free(text);
    return true;
}

/* ---- the rest ---- */

static void put_string(Output *out, const Spec *spec, const char *text)
{
    if (!text) text = spec->precision < 0 || spec->precision >= 6 ? "(null)" : "";
    put_padded(out, spec, text, spec->precision < 0 ? text_length(text) : text_length_max(text, (size_t)spec->precision));
}

/* In the C locale a wide character is a byte below 128 or an error. */
static bool put_wide_string(Output *out, const Spec *spec, const wchar_t *text)
{
    if (!text) {
        put_string(out, spec, NULL);
        return true;
    }
    size_t n = 0;
    for (; (spec->precision < 0 || n < (size_t)spec->precision) && text[n]; n++)
        if ((uint32_t)text[n] > 127) return false;
    int64_t gap = (int64_t)spec->width - (int64_t)n;
    if (!spec->left) pad(out, ' ', gap);
    for (size_t i = 0; i < n; i++) {
        char byte = (char)text[i];
        put(out, &byte, 1);
    }
    if (spec->left) pad(out, ' ', gap);
    return true;
}

static void store_count(const Spec *spec, void *to, uint64_t count)
{
    switch (spec->size) {
    case SIZE_CHAR: *(signed char *)to = (signed char)count; break;
    case SIZE_SHORT: *(short *)to = (short)count; break;
    case SIZE_INT: *(int *)to = (int)count; break;
    default: *(long *)to = (long)count; break;
    }
}

/* A conversion that does not exist is written out as it was understood. */
static void put_unknown(Output *out, const Spec *spec)
{
    char text[40], digits[12];
    int n = 0;
    text[n++] = '%';
    if (spec->alternate) text[n++] = '#';
    if (spec->group) text[n++] = '\'';
    if (spec->plus) text[n++] = '+';
    else if (spec->space) text[n++] = ' ';
    if (spec->left) text[n++] = '-';
    if (spec->zero && (!spec->left || spec->left_by_star)) text[n++] = '0';
    if (spec->digits) text[n++] = 'I';
    for (int part = 0; part < 2; part++) {
        int value = part ? spec->precision : spec->width;
        if (part ? value < 0 : value == 0) continue;
        if (part) text[n++] = '.';
        int count = decimal_narrow((uint32_t)value, digits + sizeof digits);
        bytes_copy(text + n, digits + sizeof digits - count, (size_t)count);
        n += count;
    }
    text[n++] = spec->conversion;
    put(out, text, (size_t)n);
}

static bool put_character(Output *out, const Spec *spec, uint64_t value)
{
    if (spec->size == SIZE_LONG && (uint32_t)value > 127) return false;
    char byte = (char)value;
    put_padded(out, spec, &byte, 1);
    return true;
}

/* The text of an error; with '#' its name, or its number if it has none. */
static void put_error(Output *out, Spec *spec, int error)
{
    char text[64];
    if (!spec->alternate) {
        clew__strerror(error, text, sizeof text);
        put_string(out, spec, text);
    } else if (clew__strerrorname(error, text, sizeof text)) {
        put_string(out, spec, text);
    } else {
        spec->alternate = false;
        spec->size = SIZE_INT;
        put_signed(out, spec, error);
    }
}

static bool convert(Output *out, Spec *spec, Value value, int error)
{
    switch (spec->conversion) {
    case 'd':
    case 'i': put_signed(out, spec, (int64_t)narrowed(spec, value.integer, true)); return true;
    case 'u':
    case 'o':
    case 'x':
    case 'X': put_unsigned(out, spec, "", narrowed(spec, value.integer, false)); return true;
    case 'c':
        if (put_character(out, spec, value.integer)) return true;
        clew__errno = EILSEQ;
        return false;
    case 's':
        if (spec->size != SIZE_LONG && spec->size != SIZE_LONG_DOUBLE) {
            put_string(out, spec, (const char *)value.integer);
            return true;
        }
        if (put_wide_string(out, spec, (const wchar_t *)value.integer)) return true;
        clew__errno = EILSEQ;
        return false;
    case 'p': put_pointer(out, spec, value.integer); return true;
    case 'n': store_count(spec, (void *)value.integer, out->total); return true;
    case '%': put(out, "%", 1); return true;
    case 'm': put_error(out, spec, error); return true;
    default:
        if (type_of(spec) != TYPE_NONE) return put_float(out, spec, value);
        put_unknown(out, spec);
        return true;
    }
}

static int range_error(void)
{
    return fail_with(EOVERFLOW);
}

/* A negative width means left; a negative precision means none. */
static bool resolve_stars(Arguments *arguments, Spec *spec)
{
    if (spec->width_position) {
        if (!fetch_star(arguments, spec->width_position, &spec->width)) return false;
        if (spec->width < 0) {
            spec->left_by_star = !spec->left;
            spec->left = true;
            spec->width = -spec->width;
        }
    }
    if (spec->precision_position) {
        if (!fetch_star(arguments, spec->precision_position, &spec->precision)) return false;
        if (spec->precision < 0) spec->precision = -1;
    }
    return true;
}

/* ---- positions ---- */

/* The types of all arguments of a format with positions; -1 if it is not usable, 0 if it has no position. */
static int collect_types(const char *format, Type *types)
{
    int count = 0;
    bool used = false;
    while (*format) {
        if (*format++ != '%') continue;
        Spec spec;
        if (!read_spec(&format, &spec)) return range_error();
        int positions[3] = {spec.position, spec.width_position, spec.precision_position};
        for (int i = 0; i < 3; i++) {
            if (positions[i] <= 0) continue;
            used = true;
            if (positions[i] > MAX_POSITIONS) return fail_with(EINVAL);
            if (positions[i] > count) count = positions[i];
            Type type = i ? TYPE_INT : type_of(&spec);
            if (type != TYPE_NONE) types[positions[i] - 1] = type;
        }
    }
    return used ? count : 0;
}

static bool has_dollar(const char *format)
{
    for (; *format; format++)
        if (*format == '$') return true;
    return false;
}

static int fetch_all(Arguments *arguments, const char *format, Value *values)
{
    Type types[MAX_POSITIONS];
    for (int i = 0; i < MAX_POSITIONS; i++) types[i] = TYPE_NONE;
    int count = collect_types(format, types);
    if (count <= 0) return count;
    for (int i = 0; i < count; i++) values[i] = fetch(arguments, types[i] == TYPE_NONE ? TYPE_INT : types[i]);
    arguments->values = values;
    arguments->count = count;
    return count;
}

static bool next_value(Arguments *arguments, const Spec *spec, Value *value)
{
    Type type = type_of(spec);
    if (type == TYPE_NONE) return true;
    if (!arguments->values) {
        *value = fetch(arguments, type);
        return true;
    }
    if (spec->position < 1 || spec->position > arguments->count) return false;
    *value = arguments->values[spec->position - 1];
    return true;
}

static int run(Output *out, const char *format, Arguments *arguments, int error)
{
    while (*format) {
        size_t plain = 0;
        while (format[plain] && format[plain] != '%') plain++;
        put(out, format, plain);
        format += plain;
        if (!*format) break;
        format++;
        Spec spec;
        Value value = {0};
        if (!read_spec(&format, &spec)) return range_error();
        if (!resolve_stars(arguments, &spec) || !next_value(arguments, &spec, &value) || !spec.conversion) return fail_with(EINVAL);
        if (!convert(out, &spec, value, error)) return -1;
        if (out->sink->failed) return -1;
    }
    if (!clew__is_symbolic(out->total) && out->total > INT_MAX) return range_error();
    return (int)out->total;
}

int clew__format(ClewSink *sink, const char *format, va_list args)
{
    Output out = {sink, 0};
    Arguments arguments = {.values = NULL};
    Value values[MAX_POSITIONS];
    int error = clew__errno;
    va_copy(arguments.list, args);
    int result = has_dollar(format) ? fetch_all(&arguments, format, values) : 0;
    if (result >= 0) result = run(&out, format, &arguments, error);
    va_end(arguments.list);
    return result;
}
