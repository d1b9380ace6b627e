/* clew test
 * branches: 4 of 4
 * covered: at least 1
 *
 * A hook that is defined elsewhere: nothing in this program has its address taken, yet what follows the call of the hook may be reached, and
 * the hook may have changed what it can. */
extern void (*hook)(void);
int level;

int main(void)
{
    if (hook) hook();
    if (level > 3) return 1;
    return 0;
}
