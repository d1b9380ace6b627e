/* clew test
 * branches: 6 of 6
 * complete: yes
 * tests: at most 6
 *
 * One function called twice with different inputs (after an example of compositional test generation): what is known of it can serve
 * both calls. */
int is_positive(int x)
{
    if (x > 0) return 1;
    return 0;
}

int both(int y, int z)
{
    int a = is_positive(y), b = is_positive(z);
    if (a && b) return 2;
    return 1;
}
