/* clew test
 * branches: 4 of 4
 * tests: at most 4
 *
 * An array given by its beginning and its end. */
int large(const int *s, const int *e)
{
    int n = 0;
    for (; s != e; s++)
        if (*s > 10) n++;
    return n;
}
