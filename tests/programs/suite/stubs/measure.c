/* clew test
 * branches: 10 of 10
 * complete: yes
 * tests: at most 12
 *
 * A measurement that is a floating-point number. */
double measure(void);

int settled(double target)
{
    double now = measure();
    if (now != now) return -1;
    if (target < 0 || target > 100) return -2;
    if (now > target + 0.5 || now < target - 0.5) return 0;
    return 1;
}
