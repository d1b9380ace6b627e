/* clew test
 * branches: 10 of 10
 * complete: yes
 * tests: at most 8
 *
 * Three throws of a die that is not here; a sequence of results decides. */
int throw_die(void);

int lucky(void)
{
    int sixes = 0;
    for (int i = 0; i < 3; i++) {
        int die = throw_die();
        if (die < 1 || die > 6) return -1;
        if (die == 6) sixes++;
    }
    if (sixes == 3) return 2;
    return 0;
}
