/* clew test
 * branches: 16 of 16
 *
 * Four loops one after the other; how often each is gone round is decided by inputs, and the counts must fit
 * together. */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int load = 0, heat = 0, cool = 0, unload = 0;
    while (__VERIFIER_nondet_int()) load++;
    while (__VERIFIER_nondet_int()) heat += 2;
    while (__VERIFIER_nondet_int()) cool += 3;
    while (__VERIFIER_nondet_int()) unload++;
    if (load != unload) return 1;
    if (load < 30) return 2;
    if (heat != cool) return 3;
    if (heat + load == 96) return 4;
    return 0;
}
