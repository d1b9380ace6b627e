/* The Mandelbrot set in doubles. */
#include <stdio.h>

enum { WIDTH = 400, HEIGHT = 300, LIMIT = 1800 };

static int escape(double cx, double cy)
{
    double x = 0, y = 0;
    int n = 0;
    while (n < LIMIT) {
        double xx = x * x, yy = y * y;
        if (xx + yy > 4) break;
        y = 2 * x * y + cy;
        x = xx - yy + cx;
        n++;
    }
    return n;
}

int main(void)
{
    unsigned sum = 0, inside = 0;
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++) {
            int n = escape(column * 3.0 / WIDTH - 2, row * 2.4 / HEIGHT - 1.2);
            sum = sum * 31 + (unsigned)n;
            inside += n == LIMIT;
        }
    printf("%u %u\n", sum, inside);
    return 0;
}
