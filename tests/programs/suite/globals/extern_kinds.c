/* clew test --nonnull current
 * branches: 12 of 12
 * tests: at most 14
 *
 * Variables that nothing here defines: a constant, a constant register, a table whose size is not known, a struct, a pointer. */
struct settings {
    int level;
    char name[8];
};

extern const unsigned limit;
extern const volatile unsigned char STATUS;
extern const short table[];
extern struct settings settings;
extern struct settings *current;
extern double gain[2][2];

int check(unsigned i)
{
    if (limit > 1000) return -1;
    if (STATUS == 0x41) return 1;
    if (i < 4 && table[i] == 1234) return 2;
    if (settings.level == 77 && current->level == 8) return 3;
    return gain[1][0] > 2;
}
