/* clew test
 * branches: 4 of 4
 * covered: at least 1
 *
 * Feasible: what a volatile variable holds is decided elsewhere. */
static volatile int device;

int poll(void)
{
    device = 1;
    if (device == 2) return 1;
    return device == 1 ? 0 : 2;
}
