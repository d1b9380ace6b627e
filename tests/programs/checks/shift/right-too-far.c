/* clew run
 * bug: shift 12
 */
struct word {
    unsigned char bits[2];
    int shift;
};

int main(void)
{
    struct word w = {{255, 1}, 32};
    volatile int r = w.bits[0] >> w.shift;
    (void)r;
    return 0;
}
