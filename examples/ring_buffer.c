/* clew test --nonnull ring --assume 'ring->first < 4'
 * branches: 6 of 6
 * bug: out-of-bounds 18
 * tests: at most 10
 *
 * A ring buffer of four bytes.  It forgets to come round when it writes; a test that starts with an empty ring needs
 * several calls to see it, one that starts in the middle needs one. */
#define SIZE 4u

struct ring {
    unsigned first, count;
    unsigned char data[SIZE];
};

int ring_put(struct ring *ring, unsigned char byte)
{
    if (ring->count >= SIZE) return 0;
    ring->data[ring->first + ring->count] = byte;
    ring->count++;
    return 1;
}

int ring_get(struct ring *ring, unsigned char *byte)
{
    if (ring->count == 0 || !byte) return 0;
    *byte = ring->data[ring->first];
    ring->first = (ring->first + 1) % SIZE;
    ring->count--;
    return 1;
}
