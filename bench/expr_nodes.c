/* How fast distinct expression nodes are made, and what they cost: expr_nodes [COUNT, default 20000000].  Every node is a new operation on
 * two earlier ones, through the simplifying constructors, in 64 bits over a few inputs; first on recent ones, as a running program makes
 * them, then on any, where nearly every access misses the caches.  Time is processor time. */
#include "expr/expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long resident_bytes(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

static double seconds_used(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void measure(const char *title, uint32_t wanted, uint32_t window)
{
    static const ExprKind kinds[] = {EXPR_ADD, EXPR_XOR, EXPR_MUL, EXPR_AND};
    enum { INPUTS = 16 };
    ExprPool *pool = expr_pool_new();
    Random random;
    random_seed(&random, 1);
    long resident = resident_bytes();
    for (int i = 0; i < INPUTS; i++) expr_var(pool, 64, "x");
    uint32_t first = expr_pool_count(pool);
    uint64_t calls = 0;
    double start = seconds_used();
    while (expr_pool_count(pool) - first < wanted) {
        uint32_t newest = expr_pool_count(pool) - 1, range = newest < window ? newest : window;
        uint64_t bits = random_next(&random);
        Expr a = newest - (Expr)((bits & 0xffffffff) * range >> 32), b = newest - (Expr)((bits >> 32) * range >> 32);
        calls++;
        if (expr_width(pool, a) == 64 && expr_width(pool, b) == 64) expr_binary(pool, kinds[calls % COUNT_OF(kinds)], a, b);
    }
    double seconds = seconds_used() - start;
    uint32_t made = expr_pool_count(pool) - first;
    printf("%s: %u nodes, %.2f million a second (%.2f million calls), %.1f bytes a node with hash table and known bits", title, made,
           made / seconds / 1e6, calls / seconds / 1e6, (double)(resident_bytes() - resident) / made);
    start = seconds_used();
    expr_pool_rewind(pool, first);
    printf(", rewound in %.2f s\n", seconds_used() - start);
    expr_pool_free(pool);
}

int main(int argc, char **argv)
{
    uint32_t wanted = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 20000000;
    measure("recent operands", wanted, 10000);
    measure("any operands", wanted, UINT32_MAX);
    return 0;
}
