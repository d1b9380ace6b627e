/* clew test
 * branches: 16 of 16
 *
 * A ring buffer of eight cells: the write position has gone round three times, and the ring is full in the
 * end. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char ring[8];
    unsigned head = 0, tail = 0, used = 0, rounds = 0;
    for (;;) {
        int command = __VERIFIER_nondet_int();
        if (command == 0) break;
        if (command > 0) {
            if (used == 8) return 2;
            ring[head] = (unsigned char)command;
            head++;
            used++;
            if (head == 8) {
                head = 0;
                rounds++;
            }
        } else {
            if (used == 0) return 3;
            if (ring[tail] == 99) return 4;
            tail = (tail + 1) % 8;
            used--;
        }
    }
    if (rounds == 3 && used == 8) return 1;
    return 0;
}
