/* A binary search tree of nodes from malloc: inserted, walked, searched and freed. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
    unsigned key, count;
};

static struct node *insert(struct node **tree, unsigned key)
{
    while (*tree && (*tree)->key != key) tree = key < (*tree)->key ? &(*tree)->left : &(*tree)->right;
    if (!*tree) {
        *tree = malloc(sizeof **tree);
        **tree = (struct node){NULL, NULL, key, 0};
    }
    (*tree)->count++;
    return *tree;
}

static unsigned long walk(const struct node *n, int depth)
{
    return n ? walk(n->left, depth + 1) * 31 + n->key * (unsigned long)depth + n->count + walk(n->right, depth + 1) : 1;
}

static void release(struct node *n)
{
    if (!n) return;
    release(n->left);
    release(n->right);
    free(n);
}

int main(void)
{
    unsigned long sum = 0;
    unsigned seed = 3;
    for (int round = 0; round < 10; round++) {
        struct node *tree = NULL;
        for (int i = 0; i < 100000; i++) insert(&tree, (seed = seed * 1664525u + 1013904223u) >> 12);
        sum = sum * 7 + walk(tree, 1);
        release(tree);
    }
    printf("%lu\n", sum);
    return 0;
}
