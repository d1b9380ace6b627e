/* clew run
 * exit: 0
 */
#include <stdio.h>

struct point {
    int x, y;
};
struct shape {
    const char *name;
    struct point corner[3];
    union {
        int i;
        float f;
    } u;
    struct point *origin;
};

static struct point global_origin = {.y = 9, .x = 8};
static struct shape shapes[] = {
    [2] = {.name = "two", .corner = {[1].y = 5, [2] = {1, 2}}, .u.f = 1.5f},
    [0] = {"zero", {{1, 2}, {3, 4}, {5, 6}}, {7}, &global_origin},
    [1].name = "one",
};
static int sparse[] = {[5] = 1, 2, [1] = 3, [7 ... 9] = 4};
static const char *const words[] = {"alpha", [3] = "delta", "epsilon"};
static struct point *pointer = &(struct point){11, 12};
static int *into = &sparse[6];

static int area(const struct point *p, int n)
{
    int a = 0;
    for (int i = 0; i < n; i++) a += p[i].x * p[(i + 1) % n].y - p[i].y * p[(i + 1) % n].x;
    return a;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        printf("%s %d %d %d %d\n", shapes[i].name, shapes[i].corner[1].y, shapes[i].corner[2].x, shapes[i].u.i, shapes[i].origin ? shapes[i].origin->y : -1);
    for (unsigned i = 0; i < sizeof sparse / sizeof *sparse; i++) printf("%d ", sparse[i]);
    for (int i = 0; i < 5; i++) printf("%s ", words[i] ? words[i] : "-");
    printf("\n%d %d %d\n", area((struct point[]){{0, 0}, {4, 0}, {4, 3}}, 3), pointer->x, *into);
    struct point *p = &(struct point){.x = 3};
    p->y = p->x + (int){4};
    for (int i = 0; i < 3; i++) {
        int *fresh = (int[2]){i};
        fresh[1]++;
        printf("%d %d ", fresh[0], fresh[1]);
    }
    printf("%d %zu %s\n", p->y, sizeof(int[]){1, 2, 3}, (char[]){"text"});
    int matrix[2][3] = {{1}, {[1] = 2}}, flat[2][2] = {1, 2, 3};
    printf("%d %d %d %d\n", matrix[0][0], matrix[1][1], flat[1][0], flat[1][1]);
    char exact[3] = "abc", longer[8] = "ab";
    printf("%.3s %d %zu\n", exact, longer[7], sizeof "a\0b");
    return 0;
}
