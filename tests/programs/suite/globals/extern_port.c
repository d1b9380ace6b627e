/* clew test
 * branches: 4 of 4
 * complete: yes
 * tests: at most 6
 *
 * A register of a device: declared, volatile, and defined nowhere in this program. */
extern volatile unsigned char PORT;
extern unsigned limit;

int ready(void)
{
    if (limit == 0) return -1;
    if (PORT & 0x40) return 1;
    return 0;
}
