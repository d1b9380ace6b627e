/* clew explore --no-summaries
 * branches: 4 of 4
 * paths: 1
 * complete: yes
 *
 * Forty exact inputs in a row, in a loop without an end: a tree of 256 to the power of 40 sequences, and a graph of 40 states. */
extern unsigned char __VERIFIER_nondet_uchar(void);

static const unsigned char wanted[40] = "a clew of thread leads out of the maze!";

int main(void)
{
    int at = 0;
    while (1) {
        if (__VERIFIER_nondet_uchar() == wanted[at]) at++;
        else at = 0;
        if (at == 40) return 1;
    }
}
