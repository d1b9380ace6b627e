/* clew test
 * branches: 10 of 10
 * complete: yes
 * tests: at most 12
 *
 * A sensor that is only declared: each call gives a result of its own, which the test must supply. */
int read_sensor(int channel);

int temperature(int channel)
{
    if (channel < 0 || channel > 3) return -1;
    int first = read_sensor(channel), second = read_sensor(channel);
    if (first < -50 || first > 150) return -2;
    if (second != first) return -3;
    return first;
}
