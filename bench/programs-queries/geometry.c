/* Positions of a point, a segment and a circle in the plane, as a robot needs them: comparisons and arithmetic of doubles. */
#include <clew.h>
#include <math.h>

struct point {
    double x, y;
};

static double cross(struct point a, struct point b, struct point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double square(struct point a, struct point b)
{
    double x = a.x - b.x, y = a.y - b.y;
    return x * x + y * y;
}

static int is_sane(struct point p)
{
    return p.x >= -1000 && p.x <= 1000 && p.y >= -1000 && p.y <= 1000;
}

/* 1 to 4, 0 on an axis. */
static int quadrant(struct point p)
{
    if (p.x == 0 || p.y == 0) return 0;
    if (p.x > 0) return p.y > 0 ? 1 : 4;
    return p.y > 0 ? 2 : 3;
}

enum side { LEFT, ON, RIGHT };

static enum side side_of(struct point a, struct point b, struct point p)
{
    double area = cross(a, b, p);
    return area > 1e-9 ? LEFT : area < -1e-9 ? RIGHT : ON;
}

static int in_triangle(struct point a, struct point b, struct point c, struct point p)
{
    enum side first = side_of(a, b, p), second = side_of(b, c, p), third = side_of(c, a, p);
    if (first == ON || second == ON || third == ON) return 2;
    return first == second && second == third;
}

/* How far along the segment the nearest point lies, 0 to 1. */
static double nearest(struct point a, struct point b, struct point p)
{
    double length = square(a, b);
    if (length == 0) return 0;
    double t = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length;
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static int collides(struct point a, struct point b, struct point center, double radius)
{
    double t = nearest(a, b, center);
    struct point p = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    return square(p, center) <= radius * radius;
}

int main(void)
{
    static const struct point dock = {0, 0}, gate = {40, 0}, mast = {10, 30};
    struct point p = {clew_double("x"), clew_double("y")};
    double radius = clew_double("radius"), speed = clew_double("speed");
    if (isnan(p.x) || isnan(p.y) || !is_sane(p)) return 1;
    if (!(radius > 0 && radius < 50)) return 2;
    if (speed < 0 || speed > 5) return 3; /* a NaN gets through here */
    if (isnan(speed)) return 4;
    int inside = in_triangle(dock, gate, mast, p), hit = collides(dock, gate, p, radius);
    if (inside == 2) return 5;
    if (inside && hit) return speed > 0.5 ? 6 : 7;
    if (inside) {
        clew_assert(p.y > 0);
        return 8;
    }
    if (hit) return p.x < 0 ? 9 : 10;
    double distance = sqrt(square(p, dock));
    if (distance < 1) return 11;
    if (distance / (speed + 0.01) > 600) return 12;
    return 20 + quadrant(p);
}
