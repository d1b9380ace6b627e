/* clew run
 * bug: no-progress 8
 */
static int done;

static void wait_for_it(void)
{
    while (!done);
}

int main(void)
{
    wait_for_it();
    return 0;
}
