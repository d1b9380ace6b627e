/* clew test
 * branches: 9 of 10
 * infeasible: 13 false
 * tests: at most 8
 *
 * A curve of four points; the loop always finds its interval, so its end is never reached. */
static const double at[4] = {0, 10, 50, 200}, level[4] = {1, 5, 8, 9};

double interpolate(double x)
{
    if (x != x || x <= at[0]) return level[0];
    if (x >= at[3]) return level[3];
    for (int i = 0; i < 3; i++) {
        if (x < at[i + 1]) return level[i] + (x - at[i]) * (level[i + 1] - level[i]) / (at[i + 1] - at[i]);
    }
    return -1;
}
