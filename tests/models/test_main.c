/* Runs every trial many times with a fixed seed and counts functions. */
#include "test.h"

#include "../../src/base/base.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLOTS = 8, ROOM = 1 << 16, PAGE = 4096, NOTES = 4096 };

static char *areas[SLOTS];
static char note[NOTES], steps[NOTES];
static size_t steps_length;

static char *area(int slot)
{
    if (!areas[slot]) {
        char *memory = mmap(NULL, ROOM + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED || mprotect(memory, PAGE, PROT_NONE) || mprotect(memory + PAGE + ROOM, PAGE, PROT_NONE)) {
            perror("guard pages");
            exit(2);
        }
        areas[slot] = memory + PAGE;
    }
    return areas[slot];
}

char *guarded(int slot, size_t n)
{
    return area(slot) + ROOM - n;
}

char *guarded_before(int slot, size_t n)
{
    (void)n;
    return area(slot);
}

char *guarded_copy(int slot, const void *from, size_t n)
{
    return memcpy(guarded(slot, n), from, n);
}

uint64_t below(Random *random, uint64_t n)
{
    return random_below(random, n);
}

bool one_in(Random *random, uint64_t n)
{
    return random_below(random, n) == 0;
}

int between(Random *random, int low, int high)
{
    return low + (int)random_below(random, (uint64_t)((int64_t)high - low + 1));
}

uint64_t any_bits(Random *random)
{
    uint64_t value = random_next(random);
    switch (random_below(random, 6)) {
    case 0: return value;
    case 1: return value >> random_below(random, 64);
    case 2: return ~(value >> random_below(random, 64));
    case 3: return (uint64_t)1 << random_below(random, 64);
    case 4: return ((uint64_t)1 << random_below(random, 64)) - 1;
    default: return (uint64_t)((int64_t)random_below(random, 21) - 10);
    }
}

double any_double(Random *random)
{
    union {
        uint64_t bits;
        double value;
    } u = {random_next(random)};
    switch (random_below(random, 6)) {
    case 0: return u.value;
    case 1: return (double)(int64_t)any_bits(random);
    case 2: return (double)(int64_t)random_below(random, 200001) / 100 - 1000;
    case 3: return one_in(random, 2) ? 0.0 : -0.0;
    case 4: return one_in(random, 3) ? __builtin_nan("") : one_in(random, 2) ? __builtin_inf() : -__builtin_inf();
    default: return (double)random_below(random, 1000) / 7;
    }
}

void fill_random(Random *random, char *to, size_t n)
{
    static const char *alphabets[] = {"ab", "aAbB", "0123456789", " \tab", "abc/.", "-+0x1 "};
    uint64_t which = random_below(random, 9);
    for (size_t i = 0; i < n; i++) {
        if (which < 6) to[i] = alphabets[which][random_below(random, strlen(alphabets[which]))];
        else if (which == 6) to[i] = (char)between(random, 32, 126);
        else to[i] = (char)between(random, 1, 255);
    }
}

char *random_text(Random *random, int slot, size_t max)
{
    size_t n = one_in(random, 8) ? 0 : random_below(random, max + 1);
    char *text = guarded(slot, n + 1);
    fill_random(random, text, n);
    text[n] = 0;
    return text;
}

bool differ(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(note, sizeof note, format, args);
    va_end(args);
    return false;
}

void step(const char *format, ...)
{
    va_list args;
    if (steps_length > NOTES - 100) return;
    va_start(args, format);
    int n = vsnprintf(steps + steps_length, 100, format, args);
    va_end(args);
    steps_length += n < 99 ? (size_t)n : 99;
}

const char *shown(const void *bytes, size_t n)
{
    static char texts[8][600];
    static int which;
    char *text = texts[which++ % 8], *p = text;
    for (size_t i = 0; i < n && p < text + 580; i++) {
        unsigned char c = ((const unsigned char *)bytes)[i];
        if (c >= 32 && c < 127 && c != '\\' && c != '"') *p++ = (char)c;
        else p += sprintf(p, "\\x%02x", c);
    }
    *p = 0;
    return text;
}

char *read_whole(int fd, size_t *n)
{
    off_t size = lseek(fd, 0, SEEK_END);
    char *text = malloc((size_t)size + 1);
    *n = 0;
    if (!text) exit(2);
    ssize_t got;
    while (*n < (size_t)size && (got = pread(fd, text + *n, (size_t)size - *n, (off_t)*n)) > 0) *n += (size_t)got;
    text[*n] = 0;
    return text;
}

static bool run_trial(const Trial *trial, uint64_t count)
{
    Random random;
    random_seed(&random, hash_bytes(trial->name, strlen(trial->name)));
    uint64_t times = count / trial->divisor ? count / trial->divisor : 1;
    for (uint64_t i = 0; i < times; i++) {
        host = (Host){.real = 1};
        note[0] = steps[0] = 0;
        steps_length = 0;
        if (trial->run(&random)) continue;
        printf("FAILED %s (trial %llu): %s\n", trial->name, (unsigned long long)i, note);
        if (steps[0]) printf("  after %s\n", steps);
        return false;
    }
    return true;
}

static double now(void)
{
    return clock_seconds();
}

void process_child(char **arguments);

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--child") == 0) process_child(argv + 2);
    uint64_t count = 10000;
    const char *only = NULL;
    bool times = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--count") == 0 && i + 1 < argc) {
            count = strtoull(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            only = argv[++i];
        } else if (strcmp(argv[i], "--times") == 0) {
            times = true;
        } else {
            fprintf(stderr, "usage: %s [--count N] [--only FUNCTION] [--times]\n", argv[0]);
            return 2;
        }
    }
    static const Trial *const families[] = {string_trials, ctype_trials, convert_trials, format_trials, scan_trials, sort_trials,
                                            stdio_trials,  files_trials, misc_trials,    getopt_trials, wide_trials, process_trials};
    unsigned passed = 0, failed = 0;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const Trial *trial = families[f]; trial->name; trial++) {
            if (only && strcmp(only, trial->name) != 0) continue;
            double start = now();
            if (run_trial(trial, count)) passed++;
            else failed++;
            if (times) printf("%8.3f s %s\n", now() - start, trial->name);
            fflush(stdout);
        }
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? 1 : 0;
}
