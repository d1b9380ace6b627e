/* clew run
 * exit: 0
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct record {
    int id;
    char name[8];
};

int main(void)
{
    FILE *f = tmpfile();
    for (int i = 0; i < 10; i++) fprintf(f, "line %d\n", i);
    printf("%ld ", ftell(f));
    rewind(f);
    char line[32];
    int n = 0;
    while (fgets(line, sizeof line, f)) n += (int)strlen(line);
    fseek(f, 7 * 5, SEEK_SET);
    fscanf(f, "%*s %d", &n);
    printf("%d ", n);
    fseek(f, -7, SEEK_END);
    fgets(line, sizeof line, f);
    printf("%s", line);
    fclose(f);

    const char *name = "clew-test-file.bin";
    f = fopen(name, "wb+");
    if (!f) return 1;
    struct record records[3] = {{1, "one"}, {2, "two"}, {3, "three"}}, r;
    printf("%zu ", fwrite(records, sizeof *records, 3, f));
    fseek(f, sizeof r, SEEK_SET);
    fread(&r, sizeof r, 1, f);
    printf("%d %s ", r.id, r.name);
    r.id = 22;
    fseek(f, sizeof r, SEEK_SET);
    fwrite(&r, sizeof r, 1, f);
    fclose(f);
    f = fopen(name, "a");
    fputs("tail", f);
    fputc('!', f);
    fclose(f);
    f = fopen(name, "r");
    char all[64];
    size_t got = fread(all, 1, sizeof all, f);
    printf("%zu %d %.5s %d %d\n", got, ((struct record *)all)[1].id, all + 36, feof(f) != 0, ferror(f));
    fclose(f);
    printf("%d ", remove(name));
    printf("%d %d ", fopen(name, "r") == 0, errno == ENOENT);
    printf("%d\n", access(name, F_OK));
    int pipes[2];
    if (pipe(pipes) == 0) {
        char back[6] = "";
        write(pipes[1], "pipe!", 5);
        read(pipes[0], back, 5);
        puts(back);
    }
    setvbuf(stdout, NULL, _IONBF, 0);
    write(1, "raw\n", 4);
    return 0;
}
