/* clew test
 * branches: 10 of 10
 *
 * Votes are counted in an array, and a draw of three candidates with 15 votes each is wanted. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int votes[3] = {0, 0, 0};
    for (;;) {
        int vote = __VERIFIER_nondet_int();
        if (vote < 0) break;
        if (vote < 3) votes[vote]++;
    }
    if (votes[0] == 15 && votes[1] == 15 && votes[2] == 15) return 1;
    return 0;
}
