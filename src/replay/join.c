/* Fewer programs: a file of tests includes its source, so a source with eighty functions would be compiled eighty times in each build.  The tests of
 * units in the same source, with the same stubs, are written together into one file here, and that is built instead.
 *
 * It is only a shorter way: a test that does not pass there, or a bug that is not shown, is run again from a file of its unit alone, and what that
 * shows is what counts. */
#include "replay/replay_int.h"

#include <stdlib.h>

enum { MOST_TOGETHER = 1000 /* tests in one file */ };

typedef struct Joint {
    char *key;
    Vec(uint32_t) tests; /* into Session.tests */
} Joint;
typedef Vec(Joint) Joints;

/* Tests that stand in one file already need no other. */
static bool is_one_file(const Session *s, const Joint *joint)
{
    uint32_t file = vec_at(&s->tests, joint->tests.data[0]).alone;
    for (uint32_t i = 1; i < joint->tests.len; i++)
        if (vec_at(&s->tests, joint->tests.data[i]).alone != file) return false;
    return file != UINT32_MAX;
}

/* If it cannot be written, the tests stay where they are. */
static void write_joint(Session *s, Joint *joint)
{
    if (!joint->tests.len || is_one_file(s, joint)) {
        vec_clear(&joint->tests);
        return;
    }
    Vec(uint32_t) indices = {0};
    TestFile file = {.path = mem_format("%s/together%u.c", s->scratch, s->files.len), .together = true};
    Error error;
    for (uint32_t i = 0; i < joint->tests.len; i++) vec_push(&indices, vec_at(&s->tests, joint->tests.data[i]).test);
    if (emit_together(s->ledger, s->decls, s->units, s->emit, file.path, indices.data, indices.len, &error) == OK) {
        file.unit = s->ledger->tests.data[indices.data[0]].unit;
        for (size_t i = 0; i < BUILD_KINDS; i++) file.binaries[i] = UINT32_MAX;
        for (uint32_t i = 0; i < joint->tests.len; i++) {
            vec_at(&s->tests, joint->tests.data[i]).file = s->files.len;
            vec_push(&file.tests, joint->tests.data[i]);
        }
        vec_push(&s->files, file);
    } else {
        free(file.path);
    }
    vec_release(&indices);
    vec_clear(&joint->tests);
}

/* NULL: it cannot be written to a file of C at all. */
static char *key_of(const Session *s, const char *unit, bool apart)
{
    char *key = s->units ? emit_together_key(s->decls, s->units, unit) : NULL;
    if (!key || !apart) return key;
    free(key);
    return mem_strdup(unit);
}

void replay__join(Session *s, const uint32_t *tests, uint32_t count, bool apart)
{
    Joints joints = {0};
    NameMap known = {0}, keys = {0}; /* units, and keys, to joints */
    for (uint32_t i = 0; i < count; i++) {
        const char *unit = s->ledger->tests.data[vec_at(&s->tests, tests[i]).test].unit;
        const uint32_t *joint = names_find(&known, unit);
        if (!joint) {
            char *key = key_of(s, unit, apart);
            const uint32_t *same = key ? names_find(&keys, key) : NULL;
            if (!same) vec_push(&joints, ((Joint){.key = key}));
            names_put(&known, unit, same ? *same : joints.len - 1);
            if (key && !same) names_put(&keys, key, joints.len - 1);
            if (same) free(key);
            joint = names_find(&known, unit);
        }
        Joint *at = &joints.data[*joint];
        if (!at->key) continue;
        vec_push(&at->tests, tests[i]);
        if (at->tests.len == MOST_TOGETHER) write_joint(s, at);
    }
    for (uint32_t i = 0; i < joints.len; i++) {
        write_joint(s, &joints.data[i]);
        vec_release(&joints.data[i].tests);
        free(joints.data[i].key);
    }
    vec_release(&joints);
    names_release(&known);
    names_release(&keys);
}
