/* clew test --nonnull ring --assume 'ring->first < 4 && ring->count <= 4'
 * branches: 6 of 6
 * complete: yes
 * tests: at most 10
 *
 * A ring of four bytes whose invariant is given as an assumption, for both of its operations. */
struct ring {
    unsigned char data[4];
    unsigned first, count;
};

int ring_put(struct ring *ring, unsigned char byte)
{
    if (ring->count == 4) return 0;
    ring->data[(ring->first + ring->count) % 4] = byte;
    ring->count++;
    return 1;
}

int ring_get(struct ring *ring, unsigned char *byte)
{
    if (ring->count == 0) return 0;
    if (byte) *byte = ring->data[ring->first];
    ring->first = (ring->first + 1) % 4;
    ring->count--;
    return 1;
}
