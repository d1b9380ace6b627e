/* clew test
 * branches: 6 of 6
 * tests: at most 4
 *
 * Looks up a key in a binary tree. */
struct tree {
    int key, value;
    struct tree *left, *right;
};

int lookup(const struct tree *tree, int key)
{
    while (tree) {
        if (tree->key == key) return tree->value;
        if (key < tree->key) tree = tree->left;
        else tree = tree->right;
    }
    return -1;
}
