/* clew test
 * branches: 4 of 4
 * bug: stack-overflow 11
 * complete: yes
 * tests: at most 2
 *
 * A recursion that steps over its end if it starts at an odd number. */
static int countdown(int level)
{
    if (level == 0) return 0;
    return 1 + countdown(level - 2);
}

int start(int fast)
{
    int level = fast ? 8 : 7;
    return countdown(level);
}
