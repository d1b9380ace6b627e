/* clew run
 * exit: 0
 */
#include <stdio.h>

static int cube[3][4][5];
static char names[][8] = {"alpha", "beta", "gamma"};

static int sum_row(int row[5])
{
    int s = 0;
    for (int i = 0; i < 5; i++) s += row[i];
    return s;
}

static int sum_plane(int (*plane)[5], int n)
{
    int s = 0;
    while (n--) s += sum_row(*plane++);
    return s;
}

static void transpose(double (*m)[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            double t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++) cube[i][j][k] = i * 100 + j * 10 + k;
    int *flat = &cube[0][0][0];
    printf("%d %d %d %d\n", flat[59], sum_plane(cube[1], 4), cube[2][3][4], *(*(*(cube + 1) + 2) + 3));
    int (*whole)[3][4][5] = &cube;
    printf("%d %zu %zu\n", (*whole)[0][1][2], sizeof *whole, sizeof **whole);
    double m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    transpose(m);
    printf("%g %g %g\n", m[0][2], m[2][0], m[1][1]);
    for (int i = 0; i < 3; i++) printf("%s:%c ", names[i], names[i][1]);
    int triangle[8][8] = {{0}};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j <= i; j++) triangle[i][j] = j == 0 || j == i ? 1 : triangle[i - 1][j - 1] + triangle[i - 1][j];
    printf("%d %ld\n", triangle[7][3], &cube[2][0][0] - &cube[0][0][0]);
    return 0;
}
