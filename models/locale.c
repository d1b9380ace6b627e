/* The C locale: the only one. */
#include "internal.h"

#include <langinfo.h>
#include <locale.h>

char *setlocale(int category, const char *name)
{
    if (category < LC_CTYPE || category > LC_IDENTIFICATION) return NULL;
    if (name && *name && !text_equal(name, "C") && !text_equal(name, "POSIX")) return NULL;
    return (char *)"C";
}

struct lconv *localeconv(void)
{
    static char empty[] = "", point[] = ".";
    static struct lconv c = {
        .decimal_point = point,
        .thousands_sep = empty,
        .grouping = empty,
        .int_curr_symbol = empty,
        .currency_symbol = empty,
        .mon_decimal_point = empty,
        .mon_thousands_sep = empty,
        .mon_grouping = empty,
        .positive_sign = empty,
        .negative_sign = empty,
        .int_frac_digits = 127,
        .frac_digits = 127,
        .p_cs_precedes = 127,
        .p_sep_by_space = 127,
        .n_cs_precedes = 127,
        .n_sep_by_space = 127,
        .p_sign_posn = 127,
        .n_sign_posn = 127,
        .int_p_cs_precedes = 127,
        .int_p_sep_by_space = 127,
        .int_n_cs_precedes = 127,
        .int_n_sep_by_space = 127,
        .int_p_sign_posn = 127,
        .int_n_sign_posn = 127,
    };
    return &c;
}
