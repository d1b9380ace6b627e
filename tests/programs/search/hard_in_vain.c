/* clew explore --no-summaries --work 4000
 * seeds: 45
 * branches: 33 of 35
 * complete: yes
 * bug: abort 67
 *
 * The solver gives up on a condition, and another run goes that way before it is asked again: then nothing is left out. */
#include <alloca.h>
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
extern char **environ;

static int hits;
static void hit(int which) { hits += which; }
static void *get(size_t n)
{
    void *memory = malloc(n);
    if (!memory) exit(9);
    return memory;
}

int v3[4] = {1, 2, 3, 4};

int main(int argc, char **argv)
{
    int *v4 = v3 + 1;
    int i = -1;
    while (++i < 5) {
        _Bool x = __VERIFIER_nondet_bool();
        int y = __VERIFIER_nondet_int();
        if (y % 3 == 1) {
            if (v4 < v3 + 3) v4++;
        } else {
            if (v4 > v3) v4--;
        }
        if (x == y) {
            *v4 = 7;
        }
        if (i == 4) {
            {
                if ((v3[2]) == 3 && y > 3) { hit(8); }
                if ((v3[2]) == 7 && y > 4) { puts("seen"); }
            }
            {
                switch (((int)(v4 - v3))) {
                case 0: if (y == 0) { puts("seen"); } break;
                case 1: if (y == 3) { assert(y != 7); } break;
                case 2: if (y == 1) { hit(8); } break;
                case 3: if (y > 2) { abort(); } break;
                default: hit(7); break;
                }
            }
        }
    }
    goto end;
end:
    return hits > 100;
}
