/* clew explore
 * branches: 9 of 10
 * complete: yes
 */
/* Prototypes of library functions in types that are too narrow, as old code has them, with arguments that are not known. */
extern void *calloc(unsigned int, unsigned int);
extern void *malloc(int);
extern int strlen(char *);
extern void *memset(char *, char, int);
extern int memcmp(char *, char *, unsigned short);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    char c = __VERIFIER_nondet_char();
    if (n == 0 || n > 5) return 0;
    char *zeros = calloc(n, 2), *filled = malloc(n + 1);
    memset(filled, c, n);
    filled[n] = 0;
    if (strlen(filled) == 3) return 1;
    if (memcmp(filled, zeros, n) == 0) return 2;
    if (zeros[n]) return 3; /* never */
    return 4;
}
