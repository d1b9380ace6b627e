/* clew test
 * branches: 10 of 10
 * tests: at most 10
 *
 * Are some measurements above a limit on average? */
int above(const double *values, int count, double limit)
{
    double sum = 0;
    if (!values || count <= 0) return -1;
    for (int i = 0; i < count; i++) {
        if (values[i] < 0) return -2;
        sum += values[i];
    }
    if (sum / count > limit) return 1;
    return 0;
}
