/* clew test
 * branches: 24 of 24
 * bug: out-of-bounds 32
 * precondition: find: text != NULL
 * precondition: find: path != NULL
 * precondition: pack: from != NULL
 * precondition: pack: to != NULL
 * precondition: walk: data != NULL
 *
 * Which number is the length of which pointer: a number that stands behind two pointers belongs to the one before it unless the code says more; two pointers and
 * then two lengths belong together in order; `p != data + len` says it.  Reading behind such a length is a bug. */
int find(const char *text, int length, const char *path, char *to, int n)
{
    if (to && n > 0) to[0] = 0;
    if (length > 2 && text[length - 1] == 'x') return 2;
    return path[0] == '$' ? 1 : 0;
}

int pack(const char *from, char *to, int fromSize, int roomSize)
{
    int i = 0;
    for (; i < fromSize; i++) {
        if (i >= roomSize) return -1;
        to[i] = from[i];
    }
    return i;
}

int walk(const char *data, unsigned long len)
{
    const char *p = data;
    if (len == 3 && data[0] == 'a') return data[len];
    for (p = data; p != data + len; p++) {
        if (*p == 'q') p = data + len - 1;
        if (*p == 'z') break;
    }
    return (int)(p - data);
}
