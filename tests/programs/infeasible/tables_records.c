/* clew test
 * branches: 14 of 18
 * infeasible: 25 true
 * infeasible: 27 true
 * infeasible: 36 true
 * infeasible: 39 true
 *
 * Records of a table, chosen by an input and handed on by pointers: what is written to one field of a record leaves the others as they are. */
extern int __VERIFIER_nondet_int(void);

#define RECORDS 4
enum kind { OPEN, SAVING, CLOSED };
static struct record {
    enum kind kind;
    int entries;
    unsigned char flags;
} records[2] = {{OPEN, 0, 1}, {SAVING, 0, 1}};

static int used[2], in_use;

/* Nobody closes a record. */
static int enter(struct record *r, int value)
{
    if (value < 0) return -1;
    if (r->flags == 255) return -2;
    r->entries++;
    if (r->kind == CLOSED) return -3;
    return 0;
}

int main(void)
{
    for (int i = 0; i < RECORDS; i++) {
        int which = __VERIFIER_nondet_int() & 1;
        int status = enter(&records[which], __VERIFIER_nondet_int());
        if (status < -1) return 1;
        if (!used[which]) used[which] = 1, in_use++;
        if (status == 0 && which == 1) break;
        if (in_use > 2) return 2;
    }
    return in_use;
}
