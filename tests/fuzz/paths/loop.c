/* inputs: 4 4
 * A loop whose count is an input, with an early way out. */
int test(unsigned a, unsigned b)
{
    int sum = 0;
    for (unsigned i = 0; i < a; i++) {
        if (i == b) break;
        sum += (int)i * 2;
        if (sum > 50) return -sum;
    }
    return sum;
}
