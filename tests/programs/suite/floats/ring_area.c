/* clew test
 * branches: 6 of 6
 * complete: yes
 * tests: at most 8
 *
 * Structs of floats by value: inside the ring, outside of it, or in its hole. */
struct point {
    float x, y;
};

int place(struct point p, struct point centre, float inner, float outer)
{
    if (inner > outer) return -1;
    float dx = p.x - centre.x, dy = p.y - centre.y;
    float square = dx * dx + dy * dy;
    if (square < inner * inner) return 0;
    if (square <= outer * outer) return 1;
    return 2;
}
