/* clew test --assume 'year > 1582 && year < 3000'
 * branches: 14 of 14
 * complete: yes
 * tests: at most 14
 *
 * The day of the week by Zeller's rule; that it is a Sunday or a Monday is decided by arithmetic alone. */
int weekday(int year, int month, int day)
{
    if (month < 1 || month > 12 || day < 1 || day > 31) return -1;
    if (month < 3) {
        month += 12;
        year--;
    }
    int number = (day + 13 * (month + 1) / 5 + year + year / 4 - year / 100 + year / 400) % 7;
    if (number == 1) return 0;
    if (number == 2) return 1;
    return number;
}
