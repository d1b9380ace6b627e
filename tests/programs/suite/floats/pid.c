/* clew test --nonnull pid
 * branches: 6 of 6
 * tests: at most 6
 *
 * One step of a PID controller; the sum of errors stops growing while the output is at its limit. */
struct pid {
    float p, i, d, sum, last;
};

static float limited(float value, float limit)
{
    if (value > limit) return limit;
    if (value < -limit) return -limit;
    return value;
}

float update(struct pid *pid, float error)
{
    float sum = pid->sum + error;
    float out = pid->p * error + pid->i * sum + pid->d * (error - pid->last);
    float result = limited(out, 100);
    if (result == out) pid->sum = sum;
    pid->last = error;
    return result;
}
