/* clew test
 * branches: 4 of 4
 * bug: null-dereference 17
 * complete: yes
 * tests: at most 8
 *
 * A function that is defined elsewhere returns a pointer, and that may be NULL: only one of the callers knows. */
struct user {
    int id, locked;
};

struct user *find_user(int id);

int may_login(int id)
{
    struct user *user = find_user(id);
    if (user->locked) return 0;
    return 1;
}

int exists(int id)
{
    if (!find_user(id)) return 0;
    return 1;
}
