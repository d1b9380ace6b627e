/* clew test
 * branches: 12 of 12
 * complete: yes
 * tests: at most 12
 *
 * The permission bits of a file: owner, group, others, in this order and no other. */
struct file {
    unsigned owner, group, mode;
};

int allowed(const struct file *file, unsigned user, unsigned group, unsigned wanted)
{
    unsigned granted;
    if (!file || wanted > 7) return 0;
    if (user == 0) return 1;
    if (user == file->owner) granted = file->mode >> 6;
    else if (group == file->group) granted = file->mode >> 3;
    else granted = file->mode;
    if ((granted & wanted) != wanted) return 0;
    return 1;
}
