/* clew test
 * branches: 6 of 6
 * bug: division-by-zero 12
 * complete: yes
 * tests: at most 8
 *
 * A period below one second becomes a zero when its fraction is cut off. */
int per_minute(double seconds)
{
    if (!(seconds > 0) || seconds > 60) return -1;
    int whole = (int)seconds;
    int rate = 6000 / whole;
    if (rate > 1000) return 1000;
    return rate;
}
