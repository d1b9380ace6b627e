/* clew run
 * bug: uninitialized 21
 */
struct options {
    int verbose, level;
    char mode;
};

static void init(struct options *o, int argc)
{
    o->verbose = argc > 1;
    o->level = 3;
    if (argc > 5) o->mode = 'x';
}

int main(int argc, char **argv)
{
    struct options o;
    init(&o, argc);
    if (o.verbose || o.level != 3) return 1;
    if (o.mode == 'x')
        return 0;
    return 0;
}
