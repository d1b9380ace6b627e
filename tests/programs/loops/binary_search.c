/* clew test
 * branches: 10 of 10
 *
 * A binary search among 1,000 numbers; the key has to be found in the tenth step. */
int binary_search(unsigned key)
{
    unsigned low = 0, high = 1000;
    int steps = 0;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        steps++;
        if (middle * middle == key) return steps == 10 ? 1 : 0;
        if (middle * middle < key) low = middle + 1;
        else high = middle;
    }
    if (steps == 9) return 2;
    return 3;
}
