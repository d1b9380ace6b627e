/* clew run
 * exit: 0
 */
struct flags {
    unsigned a : 3, b : 7;
    int c : 5;
    unsigned d : 17;
};

int main(void)
{
    struct flags f;
    f.b = 100;
    f.c = -3;
    if (f.b != 100) return 1;
    if (f.c != -3) return 2;
    f.a = 5;
    if (f.a != 5 || f.b != 100) return 3;
    f.d = 99999;
    return f.d == 99999 && f.c == -3 ? 0 : 4;
}
