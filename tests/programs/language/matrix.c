/* clew run
 * exit: 0
 */
#include <math.h>
#include <stdio.h>

enum { N = 6 };

static double determinant(double m[N][N])
{
    double d = 1;
    for (int i = 0; i < N; i++) {
        int pivot = i;
        for (int r = i + 1; r < N; r++)
            if (fabs(m[r][i]) > fabs(m[pivot][i])) pivot = r;
        if (pivot != i) {
            d = -d;
            for (int c = 0; c < N; c++) {
                double t = m[i][c];
                m[i][c] = m[pivot][c];
                m[pivot][c] = t;
            }
        }
        d *= m[i][i];
        for (int r = i + 1; r < N; r++) {
            double f = m[r][i] / m[i][i];
            for (int c = i; c < N; c++) m[r][c] -= f * m[i][c];
        }
    }
    return d;
}

static void multiply(const float *a, const float *b, float *out, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            out[i * n + j] = sum;
        }
}

int main(void)
{
    double m[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) m[i][j] = sin(i * 7 + j * 3) + (i == j) * 2;
    printf("%.12g\n", determinant(m));
    float a[16], b[16], c[16];
    for (int i = 0; i < 16; i++) a[i] = (float)i / 3, b[i] = 1.0f / (float)(i + 1);
    multiply(a, b, c, 4);
    multiply(c, a, b, 4);
    for (int i = 0; i < 16; i++) printf("%.6g%c", b[i], i % 4 == 3 ? '\n' : ' ');
    return 0;
}
