/* clew run
 * bug: shift 6
 */
static int half(int x, int n)
{
    return x >> n;
}

int main(int argc, char **argv)
{
    int fine = half(100, 1);
    half(100, -argc);
    return fine - 50;
}
