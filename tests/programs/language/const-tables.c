/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <string.h>

static const unsigned char days[2][13] = {
    {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31},
    {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31},
};
static const struct keyword {
    const char *name;
    int token;
    double weight;
} keywords[] = {{"break", 1, .5}, {"case", 2, 1.5}, {"char", 3, 2.5}, {"while", 4, 3.5}};
static const char *const *const nested[] = {(const char *const[]){"a", "b", 0}, (const char *const[]){"c", 0}};
extern const int late[];

static int day_of_year(int year, int month, int day)
{
    int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    for (int i = 1; i < month; i++) day += days[leap][i];
    return day;
}

static int token(const char *name)
{
    int low = 0, high = sizeof keywords / sizeof keywords[0];
    while (low < high) {
        int middle = (low + high) / 2, c = strcmp(name, keywords[middle].name);
        if (c == 0) return keywords[middle].token;
        if (c < 0) high = middle;
        else low = middle + 1;
    }
    return -1;
}

int main(void)
{
    printf("%d %d %d\n", day_of_year(2000, 12, 31), day_of_year(1900, 3, 1), day_of_year(2023, 7, 14));
    printf("%d %d %d %g\n", token("char"), token("break"), token("int"), keywords[3].weight);
    for (int i = 0; i < 2; i++)
        for (const char *const *p = nested[i]; *p; p++) printf("%s ", *p);
    printf("%d\n", late[1]);
    return 0;
}

const int late[] = {1, 22, 3};
