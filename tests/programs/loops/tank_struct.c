/* clew test
 * branches: 12 of 12
 *
 * The state of a tank is in a struct, which two functions change. */
int __VERIFIER_nondet_int(void);

struct tank {
    int level, fillings, drained;
};

static void fill(struct tank *t, int by)
{
    t->level += by;
    t->fillings++;
}

static void drain(struct tank *t)
{
    if (t->level >= 4) {
        t->level -= 4;
        t->drained += 4;
    }
}

int main(void)
{
    struct tank t = {0, 0, 0};
    for (int i = 0; i < 200; i++) {
        if (__VERIFIER_nondet_int() > 0) fill(&t, 6);
        else drain(&t);
        if (t.level > 300) return 1;
    }
    if (t.fillings == 60 && t.drained == 200) return 2;
    return 0;
}
