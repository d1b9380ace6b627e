/* clew test
 * branches: 14 of 14
 * complete: yes
 * tests: at most 14
 *
 * A struct with an array of structs and the number of those in use, which nobody promises to be right. */
struct item {
    int id, stock;
};

struct shop {
    struct item items[3];
    int used;
};

int order(struct shop *shop, int id, int quantity)
{
    if (!shop || shop->used < 0 || shop->used > 3) return -1;
    if (quantity <= 0) return -2;
    for (int i = 0; i < shop->used; i++) {
        struct item *item = &shop->items[i];
        if (item->id != id) continue;
        if (item->stock < quantity) return -3;
        item->stock -= quantity;
        return item->stock;
    }
    return -4;
}
