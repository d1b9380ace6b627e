/* clew test --nonnull read
 * branches: 10 of 10
 * tests: at most 10
 *
 * A function pointer that fills a buffer; it is called again until it has given enough. */
int checksum(int (*read)(unsigned char *, int))
{
    unsigned char block[4];
    int sum = 0;
    for (int round = 0; round < 2; round++) {
        int n = read(block, sizeof block);
        if (n < 0) return -1;
        if (n > 4) return -2;
        for (int i = 0; i < n; i++) sum += block[i];
    }
    if (sum == 200) return 1;
    return 0;
}
