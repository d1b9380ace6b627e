/* clew run
 * exit: 0
 */
static int count;

static int tick(void)
{
    count++;
}

int main(void)
{
    tick();
    tick();
    return count - 2;
}
