/* clew run
 * bug: stack-overflow 6
 */
typedef int (*step)(void *, int);
struct machine { step next; };
static int run(void *m, int n) { return ((struct machine *)m)->next(m, n + 1) + 1; }

int main(void)
{
    struct machine m = {run};
    return run(&m, 0);
}
