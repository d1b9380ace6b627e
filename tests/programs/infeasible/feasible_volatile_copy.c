/* clew test
 * branches: 2 of 2
 * covered: at least 1
 *
 * Feasible: a copy of a volatile struct reads any values. */
struct pair {
    int a, b;
};
static volatile struct pair device;

int main(void)
{
    struct pair copy;
    device.a = 0;
    copy = device;
    if (copy.a == 5) return 1;
    return 0;
}
