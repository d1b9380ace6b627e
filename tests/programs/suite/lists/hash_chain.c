/* clew test
 * branches: 8 of 8
 * tests: at most 8
 *
 * A hash table with chains: the key decides which of four lists is walked. */
struct entry {
    unsigned key;
    int value;
    struct entry *next;
};

struct table {
    struct entry *chains[4];
};

int get(const struct table *table, unsigned key, int *value)
{
    if (!table) return -1;
    for (const struct entry *e = table->chains[(key * 7u) % 4]; e; e = e->next) {
        if (e->key == key) {
            if (value) *value = e->value;
            return 1;
        }
    }
    return 0;
}
