/* clew test
 * branches: 16 of 16
 * complete: yes
 * tests: at most 18
 *
 * Two structs by value; sums are made in a wider type, so that no rectangle is too large. */
struct rectangle {
    int x, y, width, height;
};

int overlap(struct rectangle a, struct rectangle b)
{
    if (a.width <= 0 || a.height <= 0 || b.width <= 0 || b.height <= 0) return -1;
    if ((long)a.x + a.width <= b.x) return 0;
    if ((long)b.x + b.width <= a.x) return 0;
    if ((long)a.y + a.height <= b.y) return 0;
    if ((long)b.y + b.height <= a.y) return 0;
    return 1;
}
