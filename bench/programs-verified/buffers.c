/* Buffers, stacks and tables: assertions about bounds, about the state that functions keep, and about what helpers return. */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 16, STACK = 8, NAMES = 12, NAME = 10 };

typedef struct Ring {
    unsigned char bytes[RING];
    unsigned start, used;
} Ring;

static int stack[STACK], depth;
static char names[NAMES][NAME];
static int name_count;

bool ring_put(Ring *ring, unsigned char byte)
{
    if (!ring || ring->used >= RING) return false;
    unsigned at = (ring->start + ring->used) % RING;
    assert(at < RING);
    ring->bytes[at] = byte;
    ring->used++;
    assert(ring->used > 0 && ring->used <= RING);
    return true;
}

int ring_get(Ring *ring)
{
    if (!ring || !ring->used) return -1;
    assert(ring->start < RING);
    int byte = ring->bytes[ring->start];
    ring->start = (ring->start + 1) % RING;
    ring->used--;
    assert(ring->start < RING);
    assert(byte >= 0 && byte <= 255);
    return byte;
}

void push(int value)
{
    assert(depth >= 0);
    if (depth == STACK) return;
    stack[depth++] = value;
    assert(depth > 0 && depth <= STACK);
}

int pop(void)
{
    if (depth <= 0) return 0;
    int value = stack[--depth];
    assert(depth >= 0);
    assert(depth < STACK);
    return value;
}

static int find_name(const char *name)
{
    for (int i = 0; i < name_count; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

int add_name(const char *name)
{
    if (!name || !*name) return -1;
    int found = find_name(name);
    if (found >= 0) return found;
    if (name_count >= NAMES || strlen(name) >= NAME) return -1;
    strcpy(names[name_count], name);
    assert(find_name(name) == name_count);
    return name_count++;
}

size_t copy_bounded(char *to, size_t room, const char *from)
{
    size_t n = 0;
    if (!to || !room || !from) return 0;
    while (n + 1 < room && from[n]) {
        to[n] = from[n];
        n++;
    }
    to[n] = 0;
    assert(n < room);
    assert(n <= strlen(from));
    return n;
}

int search_sorted(const int *values, int count, int wanted)
{
    int low = 0, high = count - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        assert(middle >= low && middle <= high);
        if (values[middle] == wanted) return middle;
        if (values[middle] < wanted) low = middle + 1;
        else high = middle - 1;
    }
    assert(low == high + 1);
    return -1;
}

void insert_sorted(int *values, int *count, int room, int value)
{
    int at = *count;
    if (at < 0 || at >= room) return;
    while (at > 0 && values[at - 1] > value) {
        values[at] = values[at - 1];
        at--;
    }
    assert(at >= 0 && at <= *count);
    values[at] = value;
    ++*count;
    assert(*count <= room);
}

int *grown(int *old, int used, int *room)
{
    if (used < 0 || *room < used) return NULL;
    if (used < *room) return old;
    int wider = *room + *room / 2 + 1;
    assert(wider > used);
    int *values = malloc((size_t)wider * sizeof *values);
    if (old && used) memcpy(values, old, (size_t)used * sizeof *values);
    free(old);
    *room = wider;
    return values;
}

unsigned count_bits(unsigned word)
{
    unsigned count = 0;
    for (; word; word &= word - 1) count++;
    assert(count <= 32);
    return count;
}
