/* clew test
 * branches: 8 of 8
 * complete: yes
 * tests: at most 10
 *
 * What water is like at so many degrees Fahrenheit; what is not a number is nothing at all. */
enum state { NOTHING, IMPOSSIBLE, ICE, WATER, STEAM };

enum state water(double fahrenheit)
{
    double celsius = (fahrenheit - 32) * 5 / 9;
    if (celsius != celsius) return NOTHING;
    if (celsius < -273.15) return IMPOSSIBLE;
    if (celsius <= 0) return ICE;
    if (celsius < 100) return WATER;
    return STEAM;
}
