/* Multiplication of square matrices of doubles. */
#include <stdio.h>

enum { N = 320, ROUNDS = 3 };
static double a[N][N], b[N][N], c[N][N];

static void multiply(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 31 + j * 17) % 101 / 50.0;
            b[i][j] = (i * 13 + j * 29) % 97 / 60.0;
        }
    double trace = 0;
    for (int round = 0; round < ROUNDS; round++) {
        multiply();
        for (int i = 0; i < N; i++) trace += c[i][i], a[i][round] = c[i][i] / 1000;
    }
    printf("%.6f\n", trace);
    return 0;
}
