/* clew test
 * branches: 41 of 42
 * infeasible: 68 false
 * covered: at least 25
 *
 * A cooperative scheduler with four tasks of different periods, semaphores, a deadline check and a task that is started by events only.
 * What makes it hard is that tasks run in common only at certain ticks, and that the state of each is spread over its own variables. */
extern unsigned char event(void);
extern int adc(int channel);

enum { TASKS = 4 };

struct task {
    void (*run)(struct task *);
    unsigned period, next, overruns;
    int blocked;
};

static unsigned ticks, samples, alarms, reports;
static int average, semaphore, cost;

static void sample(struct task *t)
{
    int value = adc(0);
    if (value < 0 || value > 4095) {
        t->overruns++;
        return;
    }
    average = (3 * average + value) / 4;
    samples++;
    if (samples == 12) {
        samples = 0;
        semaphore = 1;
    }
}

static void supervise(struct task *t)
{
    if (semaphore == 0) {
        t->blocked = 1;
        return;
    }
    semaphore = 0;
    if (average > 3000 && adc(1) > 2000) alarms++;
    else if (average < 100) alarms = 0;
}

static void report(struct task *t)
{
    if (alarms >= 3) reports++;
    if (reports == 2 && t->overruns == 0) t->period = 7;
    cost += alarms > 0 ? 5 : 1;
}

static void emergency(struct task *t)
{
    t->blocked = 1;
    if (alarms > 0 && average > 3500) ticks += 100;
}

int main(void)
{
    struct task tasks[TASKS] = { { sample, 2, 0, 0, 0 }, { supervise, 5, 0, 0, 0 }, { report, 12, 0, 0, 0 }, { emergency, 1, 0, 0, 1 } };
    while (1) {
        unsigned char number = event();
        if (number == 0xEE) tasks[3].blocked = 0;
        /* The semaphore needs 12 more samples, and the second task blocks within 5 turns after it took the semaphore. */
        if (semaphore && tasks[1].blocked) {
            tasks[1].blocked = 0;
            tasks[1].next = ticks;
        }
        for (int i = 0; i < TASKS; i++) {
            struct task *t = &tasks[i];
            if (t->blocked || (int)(t->next - ticks) > 0) continue;
            if (ticks - t->next > t->period) t->overruns++;
            t->next = ticks + t->period;
            t->run(t);
        }
        if (cost > 50) {
            cost = 0;
            tasks[2].overruns++;
        }
        ticks++;
    }
}
