/* clew test --nonnull pid
 * branches: 12 of 12
 * bug: signed-overflow 23
 * tests: at most 10
 *
 * A PID controller in fixed point, with eight bits behind the point.  Products are made in a wider type; one sum is not. */
struct pid {
    short p, i, d;
    int sum, last;
};

static int limited(long long value, int limit)
{
    if (value > limit) return limit;
    if (value < -limit) return -limit;
    return (int)value;
}

int pid_step(struct pid *pid, short target, short actual)
{
    int error = target - actual;
    if (pid->p == 0 && pid->i == 0) return 0;
    pid->sum += error;
    long long out = (long long)pid->p * error + (long long)pid->i * pid->sum + (long long)pid->d * ((long long)error - pid->last);
    pid->last = error;
    int result = limited(out / 256, 10000);
    if (result == 10000 && error < 0) return 9999;
    return result;
}
