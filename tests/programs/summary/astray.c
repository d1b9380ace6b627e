/* clew explore --summaries
 * seeds: 5
 * branches: 22 of 22
 * complete: yes
 * bug: out-of-bounds 17
 *
 * The pointer is in its object, or, with one of the offsets, in none.  Where it is in none the call is executed in place, and that it is in none is a
 * condition on the path, too. */
#include <clew.h>

static const int offset[4] = {0, 1, 2, 1000};

static int grade(const char *text, int how)
{
    if (how == 1) return 5;
    if (how == 2) return 6;
    if (text[0] == 'a') return 1;
    if (text[0] == 'b') return 2;
    return 0;
}

int main(void)
{
    char text[4];
    clew_make_symbolic(text, 4, "text");
    unsigned char i = clew_uchar("i"), how = clew_uchar("how");
    int found = grade(text + offset[i & 3], how);
    if (clew_bool("x")) found++;
    if (found == 6 && i == 3) return 1;
    if (found == 3 && clew_bool("y")) return 2;
    if (found == 7 && i == 2) return 3;
    return 0;
}
