/* clew test --work 500 --nonnull marked
 * branches: 4 of 4
 * precondition: fits_into_a_row: marked points to more than 8 elements
 *
 * Nothing says how long the array is, and eight elements, with which a search begins, are not enough for the second answer.  A run that reads just behind them shows that. */
int fits_into_a_row(const int *marked)
{
    int n = 0;
    while (marked[n] != -1) n++;
    if (n > 12) return 0;
    return 1;
}
