/* clew test
 * branches: 6 of 10
 * verified: 21 true
 * verified: 21 true
 * verified: 21 true
 * verified: 21 true
 *
 * A static function is part of the unit that calls it: its assertion is not verified, so no execution that comes to it may be left out, though the
 * assertion in the unit itself is.  Executions that do not come to it are. */
#include <clew.h>

static int scale(int value)
{
    CLEW_ASSERT_VERIFIED(value > -1000, false);
    return value > 100 ? 100 : value;
}

int percent(int part, int whole)
{
    CLEW_ASSERT_VERIFIED(1, true);
    if (whole <= 0 || whole > 1000 || part < 0 || part > 1000) return -1;
    return scale(part * 100 / whole);
}
