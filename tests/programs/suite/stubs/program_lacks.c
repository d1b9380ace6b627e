/* clew test
 * branches: 20 of 20
 * tests: at most 6
 *
 * A program that is not whole: functions that nothing defines, called, kept in a variable, kept in a table, without a declaration. */
struct reply { int code; const char *text; };
extern struct reply ask(int question);
extern int *numbers(void);
extern const char *name(void);
extern void tick(void);
extern int hook(int), first(int);
extern double ratio(float);
static int (*const table[])(int) = {first};

int main(void)
{
    int r = 0;
    struct reply reply = ask(1);
    if (reply.code == 404) r++;
    int *p = numbers();
    if (p && *p == 77) r++;
    const char *n = name();
    if (n && n[0] == 'h' && n[1] == 'i') r++;
    tick();
    int (*kept)(int) = hook;
    if (kept(2) == 123456) r++;
    if (table[0](1) == 55) r++;
    if (ratio(2) > 1.5) r++;
    if (undeclared(1, 2, "x") == 31) r++;
    return r;
}
