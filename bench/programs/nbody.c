/* Bodies under gravity: doubles in structures, square roots. */
#include <math.h>
#include <stdio.h>

struct body {
    double x, y, z, vx, vy, vz, mass;
};
static struct body bodies[5] = {
    {0, 0, 0, 0, 0, 0, 39.5},
    {4.8, -1.2, -0.1, 0.6, 2.8, -0.02, 0.04},
    {8.3, 4.1, -0.4, -1.0, 1.8, 0.01, 0.01},
    {12.9, -15.1, -0.2, 1.1, 0.9, -0.01, 0.002},
    {15.4, -25.9, 0.2, 1.0, 0.6, -0.03, 0.002},
};

static void step(double dt)
{
    for (int i = 0; i < 5; i++) {
        struct body *a = &bodies[i];
        for (int j = i + 1; j < 5; j++) {
            struct body *b = &bodies[j];
            double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
            double d2 = dx * dx + dy * dy + dz * dz, mag = dt / (d2 * sqrt(d2));
            a->vx -= dx * b->mass * mag, a->vy -= dy * b->mass * mag, a->vz -= dz * b->mass * mag;
            b->vx += dx * a->mass * mag, b->vy += dy * a->mass * mag, b->vz += dz * a->mass * mag;
        }
    }
    for (int i = 0; i < 5; i++) {
        struct body *b = &bodies[i];
        b->x += dt * b->vx, b->y += dt * b->vy, b->z += dt * b->vz;
    }
}

int main(void)
{
    for (int i = 0; i < 1800000; i++) step(0.01);
    printf("%.9f %.9f\n", bodies[0].x, bodies[4].vy);
    return 0;
}
