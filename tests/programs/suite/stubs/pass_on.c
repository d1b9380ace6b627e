/* clew test --nonnull block
 * branches: 8 of 8
 * tests: at most 8
 *
 * The buffer and its length are the caller's, so how much is written depends on an input. */
int fetch(void *to, unsigned long length);

int header(unsigned char *block, unsigned length)
{
    if (length < 4) return -1;
    if (fetch(block, length) < 0) return -2;
    if (block[0] != 0x7f || block[3] != 'F') return -3;
    return length;
}
