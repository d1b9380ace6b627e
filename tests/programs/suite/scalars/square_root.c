/* clew test --assume 'number < 2000'
 * branches: 6 of 6
 * complete: yes
 * tests: at most 4
 *
 * The integer square root, one bit after the other. */
unsigned square_root(unsigned number)
{
    unsigned root = 0;
    for (unsigned bit = 32; bit > 0; bit /= 2) {
        unsigned larger = root + bit;
        if (larger * larger <= number) root = larger;
    }
    if (root * root == number) return root;
    return root + 1000;
}
