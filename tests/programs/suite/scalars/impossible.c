/* clew test
 * branches: 5 of 5
 * bug: unreachable 15
 * complete: yes
 * tests: at most 8
 *
 * What the programmer promised the compiler never happens. */
int quarter(int month)
{
    switch ((month - 1u) / 3) {
    case 0: return 1;
    case 1: return 2;
    case 2: return 3;
    case 3: return 4;
    default: __builtin_unreachable();
    }
}
