/* inputs: 5 5
 * Nested conditionals on sums, products and shifts. */
int test(unsigned a, unsigned b)
{
    unsigned x = a * 3 + b, y = (a << 2) ^ b;
    int r = 0;
    if (x > 40) {
        if (y & 8) r = 1;
        else if (x % 7 == 3) r = 2;
    } else if (a == b) {
        r = 3 + (int)(x / 5);
    }
    if ((int)(a - b) < -10) r += 100;
    return r * 2 + (y > x);
}
