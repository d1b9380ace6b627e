/* clew test
 * branches: 2 of 2
 * covered: at least 1
 *
 * Feasible: the linker says where a section starts, and a variable in it is written through that. */
extern int __VERIFIER_nondet_int(void);
static int item __attribute__((section("items"))) = 1;
extern int __start_items[];

int main(void)
{
    int v = __VERIFIER_nondet_int();
    item = 1;
    __start_items[0] = v;
    if (item == 3) return 1;
    return 0;
}
