/* clew test
 * branches: 8 of 8
 *
 * A loop that is tested at its end and left in the middle, too. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 0, left = 0;
    do {
        int in = __VERIFIER_nondet_int();
        if (in == 7) {
            left = 1;
            break;
        }
        x += 5;
    } while (x < 400);
    if (left && x == 250) return 1;
    return 0;
}
