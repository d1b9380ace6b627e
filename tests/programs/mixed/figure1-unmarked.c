/* clew explore --function test --concrete hash
 * seeds: 10
 * branches: 6 of 6
 * returns: 0 3 4 13 14
 *
 * Figure 1 with line 7, for code that cannot be edited. */
double hash(double x);
double hash(double x)
{
    return x >= 0 && x <= 10 ? 10 * x : 0;
}

int test(int x, int y)
{
    int path = 0;
    if (x > 0) {
        if (y == hash(x)) path = 0;
        else path = 10;
        if (y > 10) path += 3;
        else path += 4;
    }
    return path;
}
