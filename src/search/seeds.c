/* Runs that a search begins with, besides its own first one: what another search of the same program has found, as values of inputs by name.
 *
 * The other search may have had fewer inputs (smaller arrays and strings), so positions do not agree; an input that a seed does not name is 0.  The names come
 * from the search's own first run, so inputs that only later runs ask for begin as they would without seeds. */
#include "search/search_int.h"

#include <stdlib.h>
#include <string.h>

typedef Vec(U128) SeedValues;

static U128 value_of(const SearchSeed *seed, const char *name, uint32_t near)
{
    for (uint32_t k = 0; k < seed->count; k++) {
        const SearchSeedInput *input = &seed->inputs[(near + k) % seed->count];
        if (strcmp(input->name, name) == 0) return input->value;
    }
    return 0;
}

static void find_values(const Search *search, const SearchSeed *seed, SeedValues *values)
{
    for (uint32_t i = 0; i < vm_input_count(search->vm) && seed->count; i++)
        vec_push(values, value_of(seed, expr_var_name(search->pool, vm_input(search->vm, i)), i));
}

void search__run_seeds(Search *search)
{
    uint32_t count = search->options.seed_count;
    SeedValues *values = mem_alloc((count + 1) * sizeof *values);
    for (uint32_t i = 0; i < count; i++) find_values(search, &search->options.seeds[i], &values[i]);
    for (uint32_t i = 0; i < count; i++) {
        search__leave_path(search, 0);
        vm_return(search->vm, search->first);
        search->resumed = search->first;
        vm_give(search->vm, values[i].data, values[i].len);
        search__run(search);
        vm_give(search->vm, NULL, 0);
        vec_release(&values[i]);
    }
    free(values);
}
