/* clew test
 * branches: 4 of 4
 * tests: at most 2
 *
 * The depth of a tree, by recursion. */
struct tree {
    struct tree *left, *right;
};

int depth(const struct tree *tree)
{
    if (!tree) return 0;
    int left = depth(tree->left), right = depth(tree->right);
    if (left > right) return left + 1;
    return right + 1;
}
