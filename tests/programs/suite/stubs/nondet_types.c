/* clew test
 * branches: 16 of 16
 * tests: at most 4
 *
 * Functions that ask for inputs by names of SV-COMP: the declared result decides, whatever the name says. */
typedef char msg_t;
enum level { LOW, MIDDLE, HIGH };
struct point { int x; short y; };
extern msg_t __VERIFIER_nondet_msg_t(void);
extern enum level __VERIFIER_nondet_level(void);
extern struct point __VERIFIER_nondet_point(void);
extern unsigned char __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_char();
extern int __VERIFIER_nondet_int();
extern long __VERIFIER_nondet_long(int which);

int main(void)
{
    int r = 0;
    if (__VERIFIER_nondet_msg_t() == 42) r++;
    if (__VERIFIER_nondet_level() == HIGH) r++;
    struct point p = __VERIFIER_nondet_point();
    if (p.x == 1000 && p.y == -5) r++;
    if (__VERIFIER_nondet_bool() == 200) r++;
    if (__VERIFIER_nondet_char() == 70000) r++;
    if (__VERIFIER_nondet_int() == -9) r++;
    if (__VERIFIER_nondet_long(3) == 5000000000) r++;
    return r;
}
