/* clew run
 * bug: out-of-bounds 11
 */
static double m[3][4];

int main(int argc, char **argv)
{
    double sum = 0;
    for (int i = 0; i < 3 + argc; i++)
        for (int j = 0; j < 4; j++)
            sum += m[i][j];
    return sum != 0;
}
