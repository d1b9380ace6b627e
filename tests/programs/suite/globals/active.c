/* clew test
 * branches: 4 of 4
 * complete: yes
 * tests: at most 6
 *
 * A global pointer to a struct, NULL or not. */
struct config {
    int level, limit;
};

struct config *active;

int permitted(int level)
{
    if (!active) return 0;
    if (level > active->limit) return 0;
    active->level = level;
    return 1;
}
