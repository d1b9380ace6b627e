/* clew test
 * branches: 10 of 10
 * complete: yes
 * tests: at most 10
 *
 * A tax with brackets. */
double tax(double income, int children)
{
    double due = 0;
    if (!(income > 0) || children < 0 || children > 20) return 0;
    double taxed = income - 2500.0 * children;
    if (taxed > 50000) {
        due += (taxed - 50000) * 0.42;
        taxed = 50000;
    }
    if (taxed > 10000) due += (taxed - 10000) * 0.25;
    return due;
}
