/* clew explore --function spin
 * branches: 2 of 2
 * returns: 0
 *
 * A run that does not end costs one run. */
volatile int count;

int spin(int a)
{
    if (a > 3)
        for (;;) count++;
    return 0;
}
