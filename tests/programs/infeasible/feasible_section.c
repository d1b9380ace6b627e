/* clew test
 * branches: 4 of 4
 * covered: at least 1
 *
 * Feasible: the linker says where a section starts, and a variable in it is written through that. */
extern int __VERIFIER_nondet_int(void);
static int item __attribute__((section("items"))) = 1;
extern int __start_items[], __stop_items[];

int main(void)
{
    int v = __VERIFIER_nondet_int();
    item = 1;
    for (int *p = __start_items; p < __stop_items; p++) *p = v;
    if (item == 3) return 1;
    return 0;
}
