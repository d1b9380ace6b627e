/* clew run
 * bug: division-by-zero 13
 */
struct ratio {
    short up, down;
};

int main(void)
{
    struct ratio r = {7, 2};
    while (r.up) {
        r.down--;
        r.up %= r.down;
        r.up += 5;
    }
    return 0;
}
