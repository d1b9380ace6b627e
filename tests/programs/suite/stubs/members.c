/* clew test
 * branches: 7 of 8
 * infeasible: 24 true
 * complete: yes
 * tests: at most 8
 *
 * Single characters and bytes are results too; what stands beside them is not touched. */
int get_char(char *c);
void get_status(unsigned char *status);

struct device {
    int id;
    unsigned char status;
    unsigned char fixed;
};

int poll(void)
{
    struct device device = {7, 0, 9};
    char c;
    if (get_char(&c) && c == 'x') return 1;
    get_status(&device.status);
    if (device.status == 3) return device.fixed;
    if (device.fixed != 9) return -1;
    return 0;
}
