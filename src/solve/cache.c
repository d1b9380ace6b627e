/* See cache.h.  Cores are found by their last condition, satisfiable lists by their hash and by any of their conditions. */
#include "solve/cache.h"

enum { CACHE_BYTES = 1 << 22, CACHE_CHAIN = 16 };

void cache_clear(Cache *cache)
{
    vec_clear(&cache->conditions);
    vec_clear(&cache->values);
    vec_clear(&cache->entries);
    map_release(&cache->exact);
    map_release(&cache->cores);
    map_release(&cache->recent);
}

void cache_release(Cache *cache)
{
    cache_clear(cache);
    vec_release(&cache->conditions);
    vec_release(&cache->values);
    vec_release(&cache->entries);
}

static bool contains(const Expr *all, uint32_t all_count, const Expr *some, uint32_t some_count)
{
    uint32_t i = 0;
    if (some_count > all_count) return false;
    for (uint32_t k = 0; k < some_count; k++) {
        while (i < all_count && all[i] < some[k]) i++;
        if (i == all_count || all[i] != some[k]) return false;
        i++;
    }
    return true;
}

static uint32_t found(const Map *map, uint64_t key)
{
    const uint64_t *value = map_find(map, key);
    return value ? (uint32_t)*value : 0;
}

static const CacheEntry *find_core(const Cache *cache, const Expr *conditions, uint32_t count)
{
    for (uint32_t i = count; i-- > 0;) {
        uint32_t at = found(&cache->cores, conditions[i]);
        for (unsigned steps = 0; at && steps < CACHE_CHAIN; steps++) {
            const CacheEntry *entry = &cache->entries.data[at];
            if (contains(conditions, i + 1, cache->conditions.data + entry->first, entry->count)) return entry;
            at = entry->next;
        }
    }
    return NULL;
}

static uint64_t hash_of(const Expr *conditions, uint32_t count)
{
    return hash_bytes(conditions, count * sizeof *conditions);
}

static const CacheEntry *find_exact(const Cache *cache, const Expr *conditions, uint32_t count)
{
    for (uint32_t at = found(&cache->exact, hash_of(conditions, count)); at; at = cache->entries.data[at].next) {
        const CacheEntry *entry = &cache->entries.data[at];
        if (entry->count == count && memcmp(cache->conditions.data + entry->first, conditions, count * sizeof *conditions) == 0)
            return entry;
    }
    return NULL;
}

/* The newest condition is the rarest: only entries with it can contain all. */
static const CacheEntry *find_superset(const Cache *cache, const Expr *conditions, uint32_t count)
{
    const uint64_t *pair = map_find(&cache->recent, conditions[count - 1]);
    for (unsigned shift = 0; pair && shift < 64; shift += 32) {
        uint32_t at = (uint32_t)(*pair >> shift);
        if (!at) continue;
        const CacheEntry *entry = &cache->entries.data[at];
        if (contains(cache->conditions.data + entry->first, entry->count, conditions, count)) return entry;
    }
    return NULL;
}

SolveAnswer cache_find(const Cache *cache, const Expr *conditions, uint32_t count, const SolveValue **values, uint32_t *value_count,
                       const Expr **core, uint32_t *core_count)
{
    const CacheEntry *entry = find_exact(cache, conditions, count);
    if (!entry) entry = find_superset(cache, conditions, count);
    if (entry) {
        *values = cache->values.data + entry->values;
        *value_count = entry->value_count;
        return SOLVE_SAT;
    }
    entry = find_core(cache, conditions, count);
    if (!entry) return SOLVE_UNKNOWN;
    *core = cache->conditions.data + entry->first;
    *core_count = entry->count;
    return SOLVE_UNSAT;
}

static bool is_full(const Cache *cache)
{
    return cache->conditions.len * sizeof(Expr) + cache->values.len * sizeof(SolveValue) + cache->entries.len * sizeof(CacheEntry) >
           CACHE_BYTES;
}

static CacheEntry *add(Cache *cache, const Expr *conditions, uint32_t count)
{
    if (is_full(cache)) cache_clear(cache);
    if (cache->entries.len == 0) vec_push(&cache->entries, ((CacheEntry){0}));
    vec_push(&cache->entries, ((CacheEntry){.first = cache->conditions.len, .count = count}));
    for (uint32_t i = 0; i < count; i++) vec_push(&cache->conditions, conditions[i]);
    return &vec_top(&cache->entries);
}

void cache_add_sat(Cache *cache, const Expr *conditions, uint32_t count, const SolveValue *values, uint32_t value_count)
{
    CacheEntry *entry = add(cache, conditions, count);
    uint32_t at = cache->entries.len - 1;
    uint64_t hash = hash_of(conditions, count);
    entry->sat = true;
    entry->values = cache->values.len;
    entry->value_count = value_count;
    for (uint32_t i = 0; i < value_count; i++) vec_push(&cache->values, values[i]);
    entry->next = found(&cache->exact, hash);
    map_put(&cache->exact, hash, at);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *pair = map_find(&cache->recent, conditions[i]);
        map_put(&cache->recent, conditions[i], pair ? *pair << 32 | at : at);
    }
}

void cache_add_core(Cache *cache, const Expr *core, uint32_t count)
{
    assert(count > 0);
    CacheEntry *entry = add(cache, core, count);
    entry->next = found(&cache->cores, core[count - 1]);
    map_put(&cache->cores, core[count - 1], cache->entries.len - 1);
}
