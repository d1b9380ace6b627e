/* clew test --assume 'a >= 0 && a <= 12 && b >= 0 && b <= 12 && c >= 0 && c <= 12'
 * branches: 8 of 8
 *
 * Three nested loops whose bounds are inputs. */
int three_levels(int a, int b, int c)
{
    int turns = 0;
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++) turns++;
    if (turns == 385) return 1;
    return 0;
}
