/* clew test --assume 'count <= 4'
 * branches: 8 of 8
 * complete: yes
 * tests: at most 4
 *
 * Insertion sort of at most four numbers: one path for each way they can be ordered. */
void sort(int *values, int count)
{
    if (!values) return;
    for (int i = 1; i < count; i++) {
        int moving = values[i], hole = i;
        while (hole > 0 && values[hole - 1] > moving) {
            values[hole] = values[hole - 1];
            hole--;
        }
        values[hole] = moving;
    }
}
