/* clew explore --summaries
 * seeds: 5
 * branches: 16 of 16
 * complete: yes
 * bug: uninitialized 13
 *
 * Which object the pointer is in is a condition on the path before the first call is completed.  Later the function is given up, because it reads
 * what may be uninitialised in three states; that condition stays on the path whenever it is executed again. */
#include <clew.h>

static int grade(const char *text)
{
    if (text[0] == 'a') return 1;
    if (text[0] == 'b') return 2;
    return 0;
}

int main(void)
{
    char one[2], other[2];
    clew_make_symbolic(one, 2, "one");
    clew_make_symbolic(other, 2, "other");
    const char *const both[2] = {one, other};
    int found = grade(both[clew_uchar("i") & 1]), sum = 0;
    for (int k = 0; k < 4; k++) {
        char partly[2];
        partly[clew_uchar("at") & 1] = 'b';
        if (clew_bool("more")) sum += grade(partly);
    }
    if (found == 2 && sum == 2) return 2;
    if (found == 1 && clew_bool("last")) return 1;
    return 0;
}
