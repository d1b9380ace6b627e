/* clew test --assume 'from >= 0 && to <= 4000'
 * branches: 6 of 6
 *
 * Both ends of the range are inputs; the turns are counted in steps of 7. */
int difference_of_bounds(int from, int to)
{
    int steps = 0;
    while (from < to) {
        from += 7;
        steps++;
    }
    if (steps == 321 && from == to) return 1;
    return 0;
}
