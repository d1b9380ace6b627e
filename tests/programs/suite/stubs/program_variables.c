/* clew test
 * branches: 14 of 14
 * tests: at most 4
 *
 * Variables that nothing defines are inputs of a program, as they are of a function. */
extern int limit;
extern const unsigned mode;
extern struct { int a; char b[4]; } config;
extern int *where;
extern volatile unsigned char PORT;

int main(void)
{
    int r = 0;
    if (limit > 100) r++;
    if (mode == 3) r++;
    if (config.a == 9 && config.b[1] == 'x') r++;
    if (where && *where == 4) r++;
    if (PORT & 1) r++;
    return r;
}
