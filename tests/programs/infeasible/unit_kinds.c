/* clew test
 * branches: 8 of 10
 * infeasible: 12 default
 * infeasible: 18 true
 *
 * A unit that dispatches on a kind that it has checked. */
int area(int kind, unsigned width, unsigned height)
{
    if (kind < 0 || kind > 2) return -1;
    width &= 255;
    height %= 100;
    switch (kind) {
    case 0: return (int)(width * height);
    case 1: return (int)(width * height / 2);
    case 2: break;
    default: return -2;
    }
    if (width * height > 25245) return -3;
    return (int)width;
}
