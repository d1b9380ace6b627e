/* clew run
 * bug: unreachable 9
 */
static int value(int kind)
{
    switch (kind) {
    case 0: return 5;
    case 1: return 6;
    default: __builtin_unreachable();
    }
}

int main(int argc, char **argv)
{
    return value(0) + value(1) + value(argc + 1);
}
