/* clew test --string s:32 --nonnull s
 * branches: 18 of 18
 *
 * The number of words of each kind in a string. */
int cat_and_dog(const char *s)
{
    int cats = 0, dogs = 0;
    while (*s) {
        if (s[0] == 'c' && s[1] == 'a' && s[2] == 't') {
            cats++;
            s += 3;
        } else if (s[0] == 'd' && s[1] == 'o' && s[2] == 'g') {
            dogs++;
            s += 3;
        } else s++;
    }
    if (cats == 5 && dogs == 3) return 1;
    return 0;
}
