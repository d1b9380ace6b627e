/* clew test --array m:3
 * branches: 16 of 16
 * tests: at most 8
 *
 * A matrix as C passes it, a pointer to rows; the option says how many rows there are. */
enum kind { NOTHING, DIAGONAL, SYMMETRIC, GENERAL };

enum kind classify(const int m[][3])
{
    int diagonal = 1, symmetric = 1;
    if (!m) return NOTHING;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            if (m[i][j] != 0 || m[j][i] != 0) diagonal = 0;
            if (m[i][j] != m[j][i]) symmetric = 0;
        }
    }
    if (diagonal) return DIAGONAL;
    if (symmetric) return SYMMETRIC;
    return GENERAL;
}
