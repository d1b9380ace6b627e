/* clew run
 * bug: division-by-zero 7
 */
int main(int argc, char **argv)
{
    unsigned __int128 big = (unsigned __int128)argc << 100, zero = big >> 127;
    return (int)(big / zero);
}
