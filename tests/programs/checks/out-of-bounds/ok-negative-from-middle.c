/* clew run
 * exit: 0
 */
#include <stddef.h>

struct list {
    struct list *next;
};
struct item {
    int value;
    char name[12];
    struct list link;
};

int main(void)
{
    int a[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, *middle = a + 4;
    struct item item = {42, "x", {0}};
    struct list *link = &item.link;
    struct item *back = (struct item *)((char *)link - offsetof(struct item, link));
    return middle[-4] + middle[4] - 8 + back->value - 42;
}
