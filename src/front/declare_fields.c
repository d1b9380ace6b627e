/* Pointer fields are roots like parameters, one for each field of each struct type whatever object it is in.  All functions add to what is
 * known of a field, in all sources; a parameter that is stored in a field is used as the field is.  A length is looked for among the integer
 * fields of the same struct. */
#include "front/declare_int.h"

#include <stdlib.h>

uint32_t declare__field(Declarer *d, CXCursor field)
{
    uint64_t key = declare__key(field), *seen = map_find(&d->field_of, key);
    if (seen) return (uint32_t)*seen;
    CXString usr = clang_getCursorUSR(field), record = clang_getCursorUSR(clang_getCursorSemanticParent(field));
    const char *name = clang_getCString(usr), *parent = clang_getCString(record);
    uint32_t *known = names_find(&d->field_names, name), index = known ? *known : d->fields.len;
    if (!known) {
        FieldEntry entry = {.name = declare__keep(&d->decls->arena, clang_getCursorSpelling(field)),
                            .record = hash_bytes(parent, strlen(parent))};
        entry.type = declare__type(d, clang_getCursorType(field));
        entry.root.use.length = -1;
        names_put(&d->field_names, name, index);
        vec_push(&d->fields, entry);
    }
    clang_disposeString(usr);
    clang_disposeString(record);
    map_put(&d->field_of, key, index);
    return index;
}

void declare__describe_field(FieldEntry *entry, Root *root)
{
    declare__describe_root(&entry->root, entry->type);
    declare__describe_root(root, entry->type);
}

/* ---- learning ---- */

static bool raise_beside(FieldEntry *entry, uint32_t field, uint8_t score, bool is_place)
{
    for (uint32_t i = 0; i < entry->beside.len; i++) {
        Beside *beside = &entry->beside.data[i];
        if (beside->field != field) continue;
        bool more = beside->score < score || (is_place && !beside->is_place);
        if (beside->score < score) beside->score = score;
        beside->is_place |= is_place;
        return more;
    }
    vec_push(&entry->beside, ((Beside){field, score, is_place}));
    return true;
}

static bool learn_lengths(Declarer *d, const Facts *facts, const Root *root, FieldEntry *entry)
{
    bool changed = false;
    for (uint32_t n = facts->param_roots; n < facts->number_count; n++) {
        uint32_t field = facts->number_fields[n];
        if (root->score[n] && d->fields.data[field].record == entry->record)
            changed |= raise_beside(entry, field, root->score[n], root->places >> n & 1);
    }
    return changed;
}

bool declare__learn_fields(Declarer *d, const Facts *facts)
{
    bool changed = false;
    for (uint32_t i = facts->param_roots; i < facts->root_count; i++) {
        if (!facts->origins[i].is_field) continue;
        FieldEntry *entry = &d->fields.data[facts->origins[i].number];
        changed |= declare__merge_use(&entry->root, &facts->roots[i]);
        changed |= learn_lengths(d, facts, &facts->roots[i], entry);
    }
    return changed;
}

/* ---- learning about pointers from the fields that they are stored in ---- */

static bool is_capacity(const char *name)
{
    static const char *const words[] = {"cap", "alloc", "size", "max", "limit"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strcasestr(name, words[i])) return true;
    return false;
}

/* The neighbour that bounds it: of several the one that is named as a capacity, else one that is no place in it, else the surest. */
static const FieldEntry *find_length(const Declarer *d, const FieldEntry *entry)
{
    const FieldEntry *best = NULL;
    uint32_t best_rank = 0;
    for (uint32_t i = 0; i < entry->beside.len; i++) {
        const Beside *beside = &entry->beside.data[i];
        const FieldEntry *field = &d->fields.data[beside->field];
        uint32_t rank = beside->score + (is_capacity(field->name) ? 2 * SCORE_SURE : beside->is_place ? 0u : SCORE_SURE);
        bool enough = beside->score >= SCORE_TEST || (beside->score >= SCORE_DERIVED && declare__is_length_name(field->name));
        if (enough && rank > best_rank) best = field, best_rank = rank;
    }
    return best;
}

static bool raise_scores(Facts *facts, RootSet roots, NumberSet numbers)
{
    bool changed = false;
    for (RootSet set = roots; set; set &= set - 1)
        for (NumberSet n = numbers; n; n &= n - 1) {
            uint8_t *score = &facts->roots[__builtin_ctzll(set)].score[__builtin_ctzll(n)];
            changed |= *score < SCORE_TEST;
            if (*score < SCORE_TEST) *score = SCORE_TEST;
        }
    return changed;
}

/* Who stores a pointer and a number in fields of one struct, of which the second is the length of the first, gives the pointer that length; and who stores a
 * pointer plus a number where other pointers are compared with it gives the end of what the pointer leads to. */
static bool teach_lengths(const Declarer *d, Facts *facts, const Stored *pointer)
{
    const FieldEntry *entry = &d->fields.data[pointer->field], *length = find_length(d, entry);
    bool changed = entry->root.use.compared && raise_scores(facts, pointer->roots, pointer->numbers);
    for (uint32_t i = 0; length && i < facts->stored.len; i++) {
        const Stored *number = &facts->stored.data[i];
        if (!number->roots && &d->fields.data[number->field] == length) changed |= raise_scores(facts, pointer->roots, number->numbers);
    }
    return changed;
}

bool declare__teach_stored(Declarer *d, Facts *facts)
{
    bool changed = false;
    for (uint32_t i = 0; i < facts->stored.len; i++) {
        const Stored *stored = &facts->stored.data[i];
        Root field = d->fields.data[stored->field].root;
        if (!stored->roots) continue;
        changed |= teach_lengths(d, facts, stored);
        /* Of what is in a field at some time not all holds for each. */
        field.weak_string |= field.use.string;
        field.use.null_tested = field.use.compared = field.use.meets_field = field.use.string = false;
        for (RootSet set = stored->roots; set; set &= set - 1) changed |= declare__merge_use(&facts->roots[__builtin_ctzll(set)], &field);
    }
    return changed;
}

/* ---- results ---- */

static int32_t field_number(const FieldSlot *slot, const char *name)
{
    for (uint32_t i = 0; i < slot->count; i++)
        if (strcmp(slot->siblings[i].name, name) == 0) return (int32_t)i;
    return -1;
}

static bool is_used(const CUse *use)
{
    return use->dereferenced || use->indexed || use->string || use->freed || use->compared || use->null_tested || use->cast;
}

/* The neighbours from which indices into it, or places in it, are computed. */
static uint64_t find_counts(const Declarer *d, const FieldEntry *entry, const FieldSlot *slot)
{
    uint64_t counts = 0;
    for (uint32_t i = 0; i < entry->beside.len; i++) {
        int32_t number = field_number(slot, d->fields.data[entry->beside.data[i].field].name);
        if (entry->beside.data[i].is_place && number >= 0 && number < 64) counts |= (uint64_t)1 << number;
    }
    return counts;
}

void declare__finish_fields(Declarer *d)
{
    for (uint32_t i = 0; i < d->slots.len; i++) {
        const FieldSlot *slot = &d->slots.data[i];
        const FieldEntry *entry = &d->fields.data[slot->entry], *length = find_length(d, entry);
        if (!is_used(&entry->root.use)) continue;
        CUse *use = arena_alloc(&d->decls->arena, sizeof *use);
        *use = entry->root.use;
        use->length = length ? field_number(slot, length->name) : -1;
        use->counts = find_counts(d, entry, slot);
        use->string |= entry->root.weak_string && use->length < 0;
        if (entry->root.cast_clash) use->cast = NULL;
        slot->field->use = use;
    }
}

void declare__release_fields(Declarer *d)
{
    for (uint32_t i = 0; i < d->fields.len; i++) vec_release(&d->fields.data[i].beside);
    vec_release(&d->fields);
    vec_release(&d->slots);
    names_release(&d->field_names);
}
