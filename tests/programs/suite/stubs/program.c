/* clew test
 * branches: 11 of 12
 * infeasible: 21 true
 * complete: yes
 * tests: at most 10
 *
 * A whole program whose device is missing: it is called twice, the second time with less room. */
int receive(unsigned char *buffer, int room);
void get_name(char *name);

int main(void)
{
    unsigned char buffer[6];
    char name[4], letter;
    int first = receive(buffer, sizeof buffer);
    if (first < 1) return 1;
    if (buffer[0] != 0xaa) return 2;
    receive(buffer + 4, 2);
    if (buffer[5] == 0x55) return 3;
    get_name(name);
    if (name[3]) return 4;
    get_name(&letter);
    if (letter == 'x') return 5;
    if (name[2] == 'y') return 6;
    return 0;
}
