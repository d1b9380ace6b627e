/* inputs: 5 2
 * Dense and sparse cases, fall-through, default, negative cases. */
int test(unsigned a, unsigned b)
{
    int r = 0;
    switch (a) {
    case 1:
    case 2: r = 10; break;
    case 3: r = 20; /* fall through */
    case 4: r += 3; break;
    case 9: r = 30; break;
    case 27: r = 40; break;
    default: r = 50; break;
    }
    switch ((int)b - 2) {
    case -2: return r - 1;
    case -1: return r * 2;
    case 1000000: return 0;
    default: return r;
    }
}
