/* clew run
 * exit: 0
 */
#include <stdio.h>

typedef int (*binary)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static binary choose(char op)
{
    return op == '+' ? add : op == '-' ? sub : mul;
}

static int apply(binary f, int n, int start)
{
    for (int i = 1; i <= n; i++) start = f(start, i);
    return start;
}

static int (*select_table(int which))[3]
{
    static int tables[2][3] = {{1, 2, 3}, {4, 5, 6}};
    return &tables[which];
}

struct object {
    int state;
    int (*get)(const struct object *);
    struct object *(*set)(struct object *, int);
};

static int get(const struct object *o) { return o->state; }
static struct object *set(struct object *o, int v) { o->state = v; return o; }

static void each(const int *a, int n, void (*visit)(int, void *), void *data)
{
    for (int i = 0; i < n; i++) visit(a[i], data);
}
static void accumulate(int x, void *data) { *(long *)data += x; }

int main(void)
{
    binary table[] = {add, sub, mul, *choose('+'), &sub};
    for (int i = 0; i < 5; i++) printf("%d ", table[i](20, 3 + i));
    printf("%d %d %d\n", apply(choose('*'), 5, 1), (*choose('-'))(1, 2), (***choose('+'))(3, 4));
    printf("%d %d\n", (*select_table(1))[2], table[0] == table[3]);
    struct object o = {0, get, set};
    printf("%d\n", o.set(o.set(&o, 4), o.get(&o) + 5)->state);
    long total = 0;
    each((int[]){1, 2, 3, 4}, 4, accumulate, &total);
    void *opaque = (void *)add;
    printf("%ld %d\n", total, ((binary)opaque)(8, 9));
    return 0;
}
