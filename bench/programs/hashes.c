/* FNV-1a, CRC-32 by table, and the compression function of SHA-256, over one buffer. */
#include <stdint.h>
#include <stdio.h>

enum { N = 1 << 20, ROUNDS = 40 };
static unsigned char data[N];
static uint32_t crc_table[256];
static const uint32_t first_k[8] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5};

static uint64_t fnv(const unsigned char *p, int n)
{
    uint64_t h = 14695981039346656037u;
    for (int i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211u;
    return h;
}

static uint32_t crc(const unsigned char *p, int n)
{
    uint32_t c = ~0u;
    for (int i = 0; i < n; i++) c = crc_table[(c ^ p[i]) & 255] ^ c >> 8;
    return ~c;
}

static uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void compress(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++) w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    for (int i = 0; i < 8; i++) s[i] = state[i];
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + first_k[i % 8] +
                      w[i];
        uint32_t t2 = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int j = 7; j > 0; j--) s[j] = s[j - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

int main(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
        crc_table[i] = c;
    }
    for (int i = 0; i < N; i++) data[i] = (unsigned char)(i * 7 + (i >> 8));
    uint64_t h = 0;
    uint32_t c = 0, state[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int round = 0; round < ROUNDS; round++) {
        data[round]++;
        h ^= fnv(data, N);
        c ^= crc(data, N);
    }
    for (int round = 0; round < 5; round++)
        for (int i = 0; i + 64 <= N; i += 64) compress(state, data + i);
    printf("%016lx %08x %08x%08x\n", (unsigned long)h, c, state[0], state[7]);
    return 0;
}
