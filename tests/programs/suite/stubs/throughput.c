/* clew test
 * branches: 2 of 2
 * bug: division-by-zero 16
 * complete: yes
 * tests: at most 4
 *
 * The time between two readings of a clock may be none. */
unsigned ticks(void);
void send_block(void);

int fast(unsigned bytes)
{
    unsigned start = ticks();
    send_block();
    unsigned end = ticks();
    if (bytes / (end - start) > 1000) return 1;
    return 0;
}
