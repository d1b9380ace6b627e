/* Fewer programs: a file of tests includes its source, so a source with eighty functions would be compiled eighty times in each build.  The tests of
 * files that include the same source, with the same stubs, are written together into one file here, and that is built instead.
 *
 * It is only a shorter way: a test that does not pass there, or a bug that is not shown, is run again from its own file (tests.c), and what that
 * shows is what counts. */
#include "replay/replay_int.h"

#include <stdlib.h>

enum { MOST_TOGETHER = 300 /* tests in one file */ };

typedef struct Joint {
    Session *session;
    Vec(uint32_t) files; /* whose tests come together */
    uint32_t tests;
} Joint;

static void move_tests(Session *s, TestFile *to, uint32_t from)
{
    TestFile *file = &vec_at(&s->files, from);
    for (uint32_t i = 0; i < file->tests.len; i++) {
        vec_push(&to->tests, file->tests.data[i]);
        vec_at(&s->tests, file->tests.data[i]).file = s->files.len;
    }
    vec_clear(&file->tests);
}

/* If it cannot be written, they stay as they are. */
static void join_files(Joint *joint)
{
    Session *s = joint->session;
    Vec(uint32_t) tests = {0};
    for (uint32_t i = 0; i < joint->files.len; i++) {
        const TestFile *file = &vec_at(&s->files, joint->files.data[i]);
        for (uint32_t k = 0; k < file->tests.len; k++) vec_push(&tests, vec_at(&s->tests, file->tests.data[k]).test);
    }
    TestFile together = {.path = mem_format("%s/together%u.c", s->scratch, s->files.len), .together = true};
    together.known = vec_at(&s->files, joint->files.data[0]).known;
    Error error;
    if (joint->files.len > 1 && emit_together(s->ledger, s->decls, s->units, s->emit, together.path, tests.data, tests.len, &error) == OK) {
        together.unit = vec_at(&s->files, joint->files.data[0]).unit;
        for (size_t i = 0; i < BUILD_KINDS; i++) together.binaries[i] = UINT32_MAX;
        for (uint32_t i = 0; i < joint->files.len; i++) move_tests(s, &together, joint->files.data[i]);
        vec_push(&s->files, together);
    } else {
        free(together.path);
    }
    vec_clear(&joint->files);
    joint->tests = 0;
    vec_release(&tests);
}

static void join_equals(Session *s, char *const *keys, uint32_t count, uint32_t first)
{
    Joint joint = {.session = s};
    for (uint32_t i = first; i < count; i++) {
        uint32_t tests = s->files.data[i].tests.len;
        if (!keys[i] || strcmp(keys[i], keys[first]) != 0 || s->files.data[i].known != s->files.data[first].known) continue;
        if (joint.tests && joint.tests + tests > MOST_TOGETHER) join_files(&joint);
        vec_push(&joint.files, i);
        joint.tests += tests;
    }
    join_files(&joint);
    vec_release(&joint.files);
}

void replay__join(Session *s)
{
    uint32_t count = s->files.len;
    char **keys = mem_alloc((count + 1) * sizeof *keys);
    for (uint32_t i = 0; i < count && s->units; i++) keys[i] = emit_together_key(s->decls, s->units, s->files.data[i].unit);
    NameMap joined[2] = {{0}, {0}}; /* of files that are known or not */
    for (uint32_t i = 0; i < count; i++) {
        NameMap *done = &joined[s->files.data[i].known];
        if (!keys[i] || names_find(done, keys[i])) continue;
        names_put(done, keys[i], i);
        join_equals(s, keys, count, i);
    }
    for (size_t i = 0; i < COUNT_OF(joined); i++) names_release(&joined[i]);
    for (uint32_t i = 0; i < count; i++) free(keys[i]);
    free(keys);
}
