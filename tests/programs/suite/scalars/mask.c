/* clew test
 * branches: 6 of 6
 * bug: shift 11
 * complete: yes
 * tests: at most 8
 *
 * The bits of a register are numbered from 0 to 31; this code allows 32. */
int is_set(unsigned flags, int bit)
{
    if (bit < 0 || bit > 32) return -1;
    if (flags & 1u << bit) return 1;
    return 0;
}
