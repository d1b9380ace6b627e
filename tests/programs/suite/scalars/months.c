/* clew test
 * branches: 13 of 13
 * complete: yes
 * tests: at most 20
 *
 * A switch that falls through, and a range that it leaves to the default. */
int season(int month)
{
    int season = 0;
    switch (month) {
    case 12: season = -2; /* fall through */
    case 1:
    case 2: season += 4; break;
    case 3:
    case 4:
    case 5: season = 1; break;
    default:
        if (month < 1 || month > 12) return -1;
        if (month > 8) return 3;
        season = 2;
    }
    return season;
}
