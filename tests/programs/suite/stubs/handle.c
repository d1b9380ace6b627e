/* clew test
 * branches: 10 of 10
 * complete: yes
 * tests: at most 10
 *
 * A type that is only declared: its pointers are passed on, compared with NULL and with each other. */
struct device;

struct device *device_open(int number);
int device_read(struct device *device);
void device_close(struct device *device);

int copy(struct device *from, struct device *to)
{
    if (!from || !to || from == to) return -1;
    return device_read(from) + 0u > 3;
}

int probe(int number)
{
    struct device *device = device_open(number);
    if (!device) return -1;
    int value = device_read(device);
    device_close(device);
    if (value == 42) return 1;
    return 0;
}
