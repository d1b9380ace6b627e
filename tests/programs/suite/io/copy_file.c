/* clew test --file data.in:3
 * branches: 8 of 10
 * infeasible: 15 false
 * infeasible: 17 false
 * tests: at most 4
 *
 * Copies a file to another one, lower case to upper case, and then looks at what it wrote. */
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int c, changed = 0;
    FILE *in = fopen("data.in", "rb");
    if (!in) return 2;
    FILE *out = fopen("data.out", "wb");
    if (!out) return 3;
    while ((c = fgetc(in)) != EOF) {
        if (islower(c)) {
            c = toupper(c);
            changed++;
        }
        fputc(c, out);
    }
    fclose(in);
    fclose(out);
    if (changed > 2) return 1;
    return 0;
}
