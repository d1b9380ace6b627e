/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
    size_t size;
    unsigned char *bytes;
};

int main(void)
{
    struct block blocks[64] = {{0}};
    unsigned long seed = 1, check = 0;
    for (int step = 0; step < 3000; step++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        struct block *b = &blocks[seed >> 58];
        size_t size = (seed >> 40) % 700;
        switch ((seed >> 33) % 3) {
        case 0:
            free(b->bytes);
            *b = (struct block){size, malloc(size)};
            memset(b->bytes, (int)step, size);
            break;
        case 1: {
            size_t old = b->size;
            b->bytes = realloc(b->bytes, size + 1);
            b->size = size + 1;
            for (size_t i = 0; i < old && i < size; i += 50) check = check * 31 + b->bytes[i];
            memset(b->bytes, (int)step, b->size);
            break;
        }
        default:
            free(b->bytes);
            *b = (struct block){size, calloc(1, size)};
            for (size_t i = 0; i < size; i++) check += b->bytes[i];
        }
    }
    for (int i = 0; i < 64; i++) {
        if (blocks[i].size) check = check * 31 + blocks[i].bytes[blocks[i].size - 1];
        free(blocks[i].bytes);
    }
    printf("%lu\n", check);
    return 0;
}
