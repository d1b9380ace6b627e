/* clew explore --no-summaries
 * seeds: 5
 * branches: 13 of 13
 * paths: 11
 * complete: yes
 * bug: uninitialized 21
 * bug: uninitialized 29
 *
 * The last element is never written.  That the one which is read is initialised is a condition of its own, and it must be the same condition
 * whichever case is taken: else a path that is to take another case does not come back to this place. */
#include <clew.h>

int main(void)
{
    unsigned char text[9];
    clew_make_symbolic(text, 8, "text");
    unsigned char at = clew_uchar("at");
    clew_assume(at < 9);
    unsigned char c = text[at];
    if (clew_bool("by cases")) {
        switch (c) {
        case 'a': return 1;
        case 'b':
        case 'c': return 2;
        case 'x': return 3;
        default: return 0;
        }
    }
    if ((c == '-') | (c == '+') | (c == 0) | (c >= 'a' && c <= 'z')) return 4;
    return 5;
}
