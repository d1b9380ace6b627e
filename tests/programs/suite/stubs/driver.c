/* clew test
 * branches: 12 of 12
 * tests: at most 12
 *
 * A table of functions, as drivers have it. */
struct driver {
    int (*open)(int unit);
    int (*read)(int unit);
    void (*close)(int unit);
};

int transfer(const struct driver *driver, int unit)
{
    if (!driver || !driver->open || !driver->read) return -1;
    if (driver->open(unit) < 0) return -2;
    int value = driver->read(unit);
    if (driver->close) driver->close(unit);
    if (value == 0x1234) return 1;
    return 0;
}
