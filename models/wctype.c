/* Classes of wide characters: ASCII's, as in the C locale. */
#include "internal.h"

#include <wctype.h>

static inline int between(wint_t c, wint_t low, wint_t high)
{
    return c - low <= high - low;
}

static inline int letter(wint_t c)
{
    return between(c | 32, 'a', 'z');
}

#define CLASS(name, condition) \
    int name(wint_t c) \
    { \
        return (condition); \
    }
CLASS(iswupper, between(c, 'A', 'Z'))
CLASS(iswlower, between(c, 'a', 'z'))
CLASS(iswalpha, letter(c))
CLASS(iswdigit, between(c, '0', '9'))
CLASS(iswxdigit, between(c, '0', '9') | between(c | 32, 'a', 'f'))
CLASS(iswalnum, letter(c) | between(c, '0', '9'))
CLASS(iswspace, (c == ' ') | between(c, 9, 13))
CLASS(iswblank, (c == ' ') | (c == 9))
CLASS(iswprint, between(c, 32, 126))
CLASS(iswgraph, between(c, 33, 126))
CLASS(iswcntrl, between(c, 0, 31) | (c == 127))
CLASS(iswpunct, between(c, 33, 126) & !(letter(c) | between(c, '0', '9')))

wint_t towupper(wint_t c)
{
    return c - ((wint_t)between(c, 'a', 'z') << 5);
}

wint_t towlower(wint_t c)
{
    return c + ((wint_t)between(c, 'A', 'Z') << 5);
}
