/* clew run -D_GNU_SOURCE
 * exit: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char name[12];
    int age;
};

static int by_int(const void *a, const void *b) { int x = *(int *)a, y = *(int *)b; return (x > y) - (x < y); }
static int by_age(const void *a, const void *b) { return ((struct person *)a)->age - ((struct person *)b)->age; }
static int by_name(const void *a, const void *b) { return strcmp(((struct person *)a)->name, ((struct person *)b)->name); }
static int by_text(const void *a, const void *b) { return strcmp(*(char **)b, *(char **)a); }
static int descending(const void *a, const void *b, void *data) { ++*(int *)data; return by_int(b, a); }

int main(void)
{
    int numbers[200], calls = 0;
    unsigned seed = 1;
    for (int i = 0; i < 200; i++) numbers[i] = (int)((seed = seed * 1103515245 + 12345) >> 16) % 1000;
    qsort(numbers, 200, sizeof *numbers, by_int);
    for (int i = 1; i < 200; i++)
        if (numbers[i - 1] > numbers[i]) return 1;
    int key = numbers[77], absent = 5000;
    int *found = bsearch(&key, numbers, 200, sizeof *numbers, by_int);
    printf("%d %d %d\n", numbers[0], *found == key, bsearch(&absent, numbers, 200, sizeof *numbers, by_int) == 0);
    qsort_r(numbers, 200, sizeof *numbers, descending, &calls);
    printf("%d %d %d\n", numbers[0], numbers[199], calls > 199);
    struct person people[] = {{"Theseus", 20}, {"Ariadne", 18}, {"Minos", 60}, {"Daedalus", 45}};
    qsort(people, 4, sizeof *people, by_age);
    for (int i = 0; i < 4; i++) printf("%s ", people[i].name);
    qsort(people, 4, sizeof *people, by_name);
    struct person *p = bsearch(&(struct person){"Minos"}, people, 4, sizeof *people, by_name);
    printf("%s %d\n", people[0].name, p->age);
    const char *words[] = {"b", "a", "d", "c", ""};
    qsort(words, 5, sizeof *words, by_text);
    for (int i = 0; i < 5; i++) printf("%s", words[i]);
    qsort(numbers, 0, 4, by_int);
    qsort(numbers, 1, 4, by_int);
    puts("");
    return 0;
}
