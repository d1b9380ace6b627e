/* clew test
 * branches: 6 of 6
 * complete: yes
 * tests: at most 4
 *
 * What follows the last slash of a path, as a pointer into it. */
const char *base(const char *path)
{
    const char *result = path;
    if (!path) return 0;
    for (; *path; path++) {
        if (*path == '/') result = path + 1;
    }
    return result;
}
