/* clew run
 * bug: out-of-bounds 13
 */
struct point {
    int x, y, z;
};

static void fill(struct point *p, int n)
{
    struct point *end = p + n;
    while (p < end) {
        p->x = p->y = 0;
        p->z = 1;
        p++;
    }
}

int main(void)
{
    struct point points[3];
    fill(points, 3);
    fill((struct point *)((char *)points + 4), 3);
    return 0;
}
