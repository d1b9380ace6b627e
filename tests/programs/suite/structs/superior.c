/* clew test
 * branches: 6 of 6
 * bug: null-dereference 16
 * tests: at most 8
 *
 * Everybody has a superior, says the code, except those of the highest grade. */
struct person {
    int grade;
    const struct person *superior;
};

int outranked(const struct person *person)
{
    if (!person) return -1;
    if (person->grade >= 10) return 0;
    if (person->superior->grade > person->grade) return 1;
    return 2;
}
