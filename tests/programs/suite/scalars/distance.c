/* clew test
 * branches: 6 of 6
 * bug: signed-overflow 11
 * complete: yes
 * tests: at most 6
 *
 * One number has no opposite. */
int magnitude(int number, int limit)
{
    if (limit > 0 && number > limit) return limit;
    if (number < 0) return -number;
    return number;
}
