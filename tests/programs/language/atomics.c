/* clew run
 * exit: 0
 */
#include <stdatomic.h>
#include <stdio.h>

static _Atomic int counter = 5;
static atomic_ulong flags = ATOMIC_VAR_INIT(0xf0);
typedef struct { int a, b; } Pair;
static _Atomic Pair pair;
static atomic_flag lock = ATOMIC_FLAG_INIT;

int main(void)
{
    counter++;
    counter += 3;
    counter *= 2;
    int old = atomic_fetch_add(&counter, 10), expected = 28;
    printf("%d %d ", old, counter);
    printf("%d ", atomic_compare_exchange_strong(&counter, &expected, 100));
    printf("%d ", atomic_compare_exchange_strong(&counter, &expected, 200));
    printf("%d %d\n", expected, atomic_exchange(&counter, 1));
    printf("%lx ", atomic_fetch_or(&flags, 0x0f));
    printf("%lx ", atomic_fetch_and_explicit(&flags, 0x3c, memory_order_relaxed));
    printf("%lx ", atomic_fetch_xor(&flags, 0xff));
    printf("%lx\n", atomic_load_explicit(&flags, memory_order_acquire));
    printf("%d %d ", atomic_flag_test_and_set(&lock), atomic_flag_test_and_set(&lock));
    atomic_flag_clear(&lock);
    printf("%d\n", atomic_flag_test_and_set(&lock));
    int plain = 7;
    char narrow = 1;
    printf("%d %d %d ", __sync_fetch_and_add(&plain, 3), __sync_add_and_fetch(&narrow, 4), __sync_bool_compare_and_swap(&plain, 10, 11));
    printf("%d %d\n", __atomic_fetch_sub(&plain, 1, __ATOMIC_SEQ_CST), __atomic_nand_fetch(&plain, 6, __ATOMIC_SEQ_CST));
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store(&pair, ((Pair){3, 4}));
    Pair copy = atomic_load(&pair);
    printf("%d %d\n", copy.a, copy.b);
    static _Atomic(double) real = 1.5;
    real += 2;
    static int *_Atomic pointer;
    int array[4] = {1, 2, 3, 4};
    pointer = array;
    atomic_fetch_add(&pointer, 2);
    printf("%g %d\n", real, *pointer);
    return 0;
}
