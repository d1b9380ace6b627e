/* clew test
 * branches: 8 of 8
 * complete: yes
 * tests: at most 8
 *
 * A line of text that a missing function reads into a buffer which nothing has written before. */
int read_line(char *line, unsigned size);

int command(void)
{
    char line[16];
    if (!read_line(line, sizeof line)) return -1;
    if (line[0] == 'q' && line[1] == 0) return 0;
    if (line[0] == '+') return 1;
    return 2;
}
