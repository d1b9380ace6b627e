/* inputs: 3 3
 * Elements that are structs of odd size, and a matrix. */
struct item {
    short key;
    char tag;
    int value;
    char name[5];
};

int test(unsigned a, unsigned b)
{
    struct item items[8];
    int matrix[4][4];
    for (int i = 0; i < 8; i++) items[i] = (struct item){(short)i, (char)('a' + i), i * i, "abcd"};
    for (int i = 0; i < 16; i++) matrix[i / 4][i % 4] = i;
    items[a].value = 100;
    items[b].name[a & 3] = 'z';
    matrix[a & 3][b & 3] = 99;
    if (items[4].value == 100 && items[4].name[0] == 'z') return 1;
    if (matrix[2][1] == 99) return 2;
    if (items[b].tag == 'c') return items[b].value;
    struct item copy = items[a];
    return copy.key * 3 + copy.value + matrix[b & 3][0];
}
