/* clew test
 * branches: 12 of 12
 * complete: yes
 * tests: at most 16
 *
 * A union with its tag: each alternative is read only under its own tag. */
enum tag { EMPTY, INTEGER, REAL, TEXT };

struct value {
    enum tag tag;
    union {
        int integer;
        double real;
        char text[8];
    } as;
};

int truth(const struct value *value)
{
    if (!value) return -1;
    switch (value->tag) {
    case INTEGER:
        if (value->as.integer != 0) return 1;
        return 0;
    case REAL:
        if (value->as.real != 0) return 1;
        return 0;
    case TEXT:
        if (value->as.text[0] != '\0') return 1;
        return 0;
    default: return -2;
    }
}
