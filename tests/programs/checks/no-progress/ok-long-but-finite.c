/* clew run
 * exit: 0
 */
int main(void)
{
    unsigned x = 1, steps = 0;
    do {
        x = x * 1664525u + 1013904223u;
        steps++;
    } while (steps < 300000);
    unsigned n = 0;
    for (unsigned char c = 0;; c++)
        if (c == 255 && ++n == 500) break;
    return n - 500;
}
