/* clew test
 * branches: 82 of 100
 * infeasible: 39 true
 * infeasible: 51 true
 * infeasible: 73 case 5
 * infeasible: 73 case 6
 * infeasible: 73 default
 * infeasible: 76 true
 * infeasible: 77 true
 * infeasible: 82 true
 * infeasible: 83 true
 * infeasible: 87 true
 * infeasible: 97 true
 * infeasible: 98 true
 * infeasible: 99 true
 * infeasible: 100 true
 * infeasible: 103 true
 * infeasible: 104 true
 * infeasible: 105 true
 * infeasible: 106 true
 * proved: at least 18
 *
 * A line parser of `NAME=value` settings: the states follow each other, the name is short, and the value's digits, sign and base agree. */
extern int __VERIFIER_nondet_int(void);

enum state { NAME, EQUALS, SIGN, DIGITS, COMMENT, DONE, BAD };
static char name[5];
static int name_length, sign, value, base = 10, digits, lines;

static int digit_value(int c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

static enum state in_name(int c)
{
    if (name_length > 4) return BAD;
    if (c == '=') return name_length == 0 ? BAD : EQUALS;
    if (c == '#') return COMMENT;
    if (c < 'A' || c > 'Z') return BAD;
    if (name_length == 4) return BAD;
    name[name_length++] = (char)c;
    return NAME;
}

static enum state in_digits(int c)
{
    int d = digit_value(c);
    if (d > 15) return BAD;
    if (c == '\n') {
        if (digits == 0) return BAD;
        return DONE;
    }
    if (c == 'x' && digits == 1 && value == 0 && base == 10) {
        base = 16;
        digits = 0;
        return DIGITS;
    }
    if (d < 0 || d >= base) return BAD;
    if (digits == 4) return BAD;
    digits++;
    value = value * base + d;
    return DIGITS;
}

int main(void)
{
    enum state state = NAME;
    while (state != DONE && state != BAD) {
        int c = __VERIFIER_nondet_int();
        switch (state) {
        case NAME: state = in_name(c); break;
        case EQUALS:
            if (name_length < 1) return 1;
            if (sign != 0) return 2;
            sign = c == '-' ? -1 : 1;
            state = c == '-' ? SIGN : in_digits(c);
            break;
        case SIGN:
            if (sign != -1) return 3;
            if (digits != 0) return 4;
            state = in_digits(c);
            break;
        case DIGITS:
            if (sign == 0) return 5;
            state = in_digits(c);
            break;
        case COMMENT:
            if (c == '\n') state = DONE;
            break;
        case DONE:
        case BAD:
            return 6;
        }
        if (state == NAME && digits > 0) return 7;
        if (value < 0) return 8;
        if (value > 65535) return 9;
        if (base != 10 && base != 16) return 10;
    }
    lines++;
    if (state == DONE && sign == 0 && digits > 0) return 11;
    if (state == DONE && sign != 0 && digits == 0) return 12;
    if (base == 10 && value > 9999) return 13;
    if (lines != 1) return 14;
    return sign * value == -255;
}
