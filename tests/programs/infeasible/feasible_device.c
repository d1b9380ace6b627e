/* clew test
 * branches: 26 of 26
 * covered: at least 24
 *
 * Feasible: registers of a device are changed by the device's own code, which holds their address as volatile memory, between two reads by the
 * driver. Two outcomes need a change by real hardware, since nothing in the program makes it: they are feasible, but no test covers them. */
extern int __VERIFIER_nondet_int(void);

struct registers {
    volatile unsigned status, data, control;
};
static struct registers device;
static volatile int interrupts;

static void hardware(void)
{
    volatile unsigned *all = &device.status;
    int choice = __VERIFIER_nondet_int();
    if (choice == 1) all[0] |= 1;
    else if (choice == 2) device.control = 0;
    else if (choice == 3) device.data = (unsigned)__VERIFIER_nondet_int() & 0xff;
    if (choice > 5) interrupts++;
}

static int wait_ready(int tries)
{
    device.status = 0;
    while (tries > 0) {
        hardware();
        if (device.status & 1) return 0;
        if (device.status != 0) return -2;
        tries--;
    }
    return -1;
}

int main(void)
{
    device.control = 1;
    device.data = 0;
    if (device.control != 1) return 1;
    if (wait_ready(4) < 0) {
        if (interrupts == 4) return 2;
        return 3;
    }
    if (device.control == 0) return 4;
    unsigned first = device.data;
    hardware();
    unsigned second = device.data;
    if (first != second) return 5;
    interrupts = 0;
    hardware();
    if (interrupts != 0) return 6;
    return (int)first;
}
