/* clew test
 * branches: 12 of 12
 * complete: yes
 * tests: at most 8
 *
 * Conditional expressions in conditional expressions. */
char grade(int points, int bonus)
{
    int total = points > 100 ? 100 : points;
    if (bonus) total = total < 90 ? total : 90;
    return total >= 85 ? 'A' : total >= 70 ? 'B' : total >= 50 ? 'C' : 'F';
}
