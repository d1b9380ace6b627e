/* clew test
 * branches: 44 of 56
 * infeasible: 29 true
 * infeasible: 30 true
 * infeasible: 39 true
 * infeasible: 48 true
 * infeasible: 56 true
 * infeasible: 71 true
 * infeasible: 72 true
 * infeasible: 73 true
 * infeasible: 74 true
 * infeasible: 75 true
 * infeasible: 77 true
 * infeasible: 78 true
 *
 * Counters that saturate: a volume, a balance and a byte that is added to with saturation stay within their bounds in every order of events. */
extern int __VERIFIER_nondet_int(void);

typedef signed char int8;
typedef unsigned char uint8;

static int volume = 90, muted;
static int8 balance = -20;
static uint8 gain = 10;

static int8 saturating_add(int8 a, int8 b)
{
    int sum = a + b;
    if (sum > 256) return 0;
    if (sum < -256) return 0;
    if (sum > 127) return 127;
    if (sum < -128) return -128;
    return (int8)sum;
}

static uint8 amplify(uint8 by)
{
    unsigned product = (unsigned)gain * by;
    if (product > 65025) return 0;
    return product > 255 ? 255 : (uint8)product;
}

static void louder(int by)
{
    if (by <= 0) return;
    if (by > 100) by = 100;
    volume += by;
    if (volume > 200) volume = 0;
    if (volume > 100) volume = 100;
}

static void softer(int by)
{
    if (by <= 0 || by > 100) by = 1;
    volume -= by;
    if (volume < -100) volume = 0;
    if (volume < 0) volume = 0;
    muted = volume == 0;
}

int main(void)
{
    while (1) {
        int event = __VERIFIER_nondet_int(), amount = __VERIFIER_nondet_int();
        if (event == 0) louder(amount);
        else if (event == 1) softer(amount);
        else if (event == 2) balance = saturating_add(balance, (int8)amount);
        else if (event == 3) gain = amplify((uint8)amount);
        else break;

        if (volume < 0) return 1;
        if (volume > 100) return 2;
        if (volume + balance > 227) return 3;
        if (muted > 1) return 4;
        if (gain + volume > 355) return 5;
        if (gain == 0 && volume == 100) return 6;
        if (volume - balance > 228) return 7;
        if (volume - balance < -127) return 8;
    }
    return muted ? 9 : 0;
}
