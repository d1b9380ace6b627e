/* clew test
 * branches: 10 of 10
 * complete: yes
 * tests: at most 14
 *
 * A status word of bit-fields, passed by value; one of the fields is signed. */
struct status {
    unsigned ready : 1;
    unsigned mode : 3;
    signed level : 4;
    unsigned error : 1;
};

int decide(struct status status)
{
    if (status.error) return -1;
    if (!status.ready) return 0;
    switch (status.mode) {
    case 0:
    case 1: return 1;
    case 7: return status.level < -3 ? 2 : 3;
    default: return 4;
    }
}
