/* clew test
 * branches: 8 of 8
 *
 * Feasible: pointers to fields of the records of a table, by an index, lead to the same bytes as the table's name, and to those of the neighbour. */
extern int __VERIFIER_nondet_int(void);

static struct record {
    int kind, entries;
} records[2] = {{0, 1}, {0, 1}};

static void set(int *field, int value)
{
    *field = value;
}

int main(void)
{
    int which = __VERIFIER_nondet_int() & 1;
    int *field = &records[which].kind;
    if (__VERIFIER_nondet_int() > 0) field++;
    set(field, 2);
    if (records[0].kind == 2) return 1;
    if (records[1].kind == 2) return 2;
    return records[1].entries == 1 ? 3 : 4;
}
