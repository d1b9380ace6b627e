/* clew test
 * branches: 20 of 20
 * bug: null-dereference 40
 * bug: null-dereference 46
 * bug: out-of-bounds 34
 * precondition: first: p != NULL
 * precondition: second: p->text != NULL
 * precondition: call: back != NULL
 * precondition: key: k != NULL
 * precondition: key: k points to more than 8 elements
 *
 * What a function cannot check, and says nowhere that it may be given, is a precondition: a pointer that is never compared with NULL, the size of
 * an array that no parameter tells.  A pointer that the function tests somewhere, or that the project itself gives as NULL, and the end of a
 * string are for the function to mind. */
struct pair {
    char *text;
    int kind;
};

int first(const struct pair *p)
{
    return p->kind > 3 ? 1 : 0;
}

int second(const struct pair *p)
{
    if (!p) return 0;
    return p->text[0] == 'x' ? 1 : 2;
}

int last(const char *text)
{
    for (int i = 0; text && text[i]; i++)
        if (text[i] == '\\' && text[i + 2] == 'n') return i;
    return -1;
}

int tested(const int *a, int x)
{
    if (x > 5) return *a;
    return a ? *a : 0;
}

static int given(const int *a)
{
    return *a;
}

int caller(int x)
{
    if (x == 3) return given(0);
    return x;
}

int call(int (*back)(int), int x)
{
    return back(x);
}

int key(const unsigned char *k)
{
    k += 9;
    return *k;
}
