/* clew run
 * exit: 0
 */
#include <stdio.h>

__attribute__((weak)) int optional(void);
__attribute__((weak)) extern int missing_variable;
__attribute__((weak)) int overridable(void) { return 1; }

int real_value = 5;
extern int other_name __attribute__((alias("real_value")));
static int implementation(int x) { return x * 3; }
int public_name(int) __attribute__((alias("implementation")));

int common_symbol;
int common_symbol;

int main(void)
{
    other_name++;
    printf("%d %d %d\n", real_value, public_name(4), &other_name == &real_value);
    printf("%d %d %d\n", optional ? optional() : -1, &missing_variable != 0, overridable());
    common_symbol = 3;
    printf("%d\n", common_symbol);
    return 0;
}
