/* clew run
 * bug: uninitialized 7
 */
int main(void)
{
    int x;
    if (x)
        return 0;
    return 0;
}
