/* clew run
 * bug: no-progress 9
 */
static int stop, last[4];

int main(void)
{
    int i = 0;
    while (stop == 0) {
        last[1] = 5; /* written again and again, but always the same */
        i = (i + 1) % 3;
    }
    return i;
}
