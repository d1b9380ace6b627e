/* A binary search tree in an array of nodes, filled by recursion. */
#include <clew.h>

#define N 5

struct node {
    int key, left, right;
};

static struct node nodes[N];
static int used;

static int new_node(int key)
{
    if (used == N) return -1;
    nodes[used].key = key;
    nodes[used].left = nodes[used].right = -1;
    return used++;
}

static int insert(int at, int key)
{
    if (at < 0) return new_node(key);
    if (key < nodes[at].key) nodes[at].left = insert(nodes[at].left, key);
    else if (key > nodes[at].key) nodes[at].right = insert(nodes[at].right, key);
    return at;
}

static int height(int at)
{
    if (at < 0) return 0;
    int l = height(nodes[at].left), r = height(nodes[at].right);
    return 1 + (l > r ? l : r);
}

static int contains(int at, int key)
{
    while (at >= 0 && nodes[at].key != key) at = key < nodes[at].key ? nodes[at].left : nodes[at].right;
    return at >= 0;
}

int main(void)
{
    int root = -1;
    for (int i = 0; i < N; i++) root = insert(root, clew_int("key"));
    int h = height(root);
    if (h == 1) return 1;
    if (contains(root, 7)) return 2;
    clew_assert(h < N);
    return 0;
}
