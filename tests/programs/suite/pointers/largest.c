/* clew test
 * branches: 6 of 6
 * bug: out-of-bounds 10
 * tests: at most 4
 *
 * The largest of no values at all is looked for in an empty array. */
int largest(const int *values, unsigned count)
{
    if (!values) return 0;
    int best = values[0];
    for (unsigned i = 1; i < count; i++) {
        if (values[i] > best) best = values[i];
    }
    return best;
}
