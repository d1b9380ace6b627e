/* clew test --string text:6
 * branches: 12 of 12
 * tests: at most 4
 *
 * Letters are moved along the alphabet, in place; everything else stays. */
static char shifted(char c, char first, int by)
{
    return (char)(first + (c - first + by) % 26);
}

int encrypt(char *text, unsigned char by)
{
    int changed = 0;
    if (!text) return -1;
    for (; *text; text++) {
        if (*text >= 'a' && *text <= 'z') {
            *text = shifted(*text, 'a', by);
            changed++;
        } else if (*text >= 'A' && *text <= 'Z') {
            *text = shifted(*text, 'A', by);
            changed++;
        }
    }
    return changed;
}
