/* ledger: what its files share.  ledger.c holds the tables, summaries.c those of functions, directory.c the output folder, store.c the database, json.c the written account. */
#ifndef CLEW_LEDGER_INT_H
#define CLEW_LEDGER_INT_H

#include "ledger/ledger.h"

typedef enum LedgerKind {
#define KIND(NAME, entry, table, columns) LEDGER_##NAME,
#include "ledger/kinds.def"
#undef KIND
    LEDGER_KINDS
} LedgerKind;

/* Entries that differ from what the database has, each listed once. */
typedef struct LedgerChanges {
    Vec(uint32_t) list;
    Vec(uint8_t) marked;
} LedgerChanges;

struct sqlite3;
typedef struct LedgerStore {
    struct sqlite3 *database; /* NULL: only read */
    int owner;                /* the process that opened it; a child that was forked must not touch the database */
    bool stored_complete, stored_ended;
    LedgerChanges changes[LEDGER_KINDS];
    NameMap known_losses;
    bool losses_dropped; /* the table is to be written anew */
} LedgerStore;

Ledger *ledger__new(const char *directory);
void ledger__mark(Ledger *ledger, LedgerKind kind, uint32_t index);
/* Remembers a loss so that it is entered once; false if it was known. */
bool ledger__new_loss(Ledger *ledger, const LedgerLoss *loss);
void ledger__free_summaries(Ledger *ledger);
/* Do numbers that refer to other entries refer to some?  NULL, or what is wrong. */
const char *ledger__check(const Ledger *ledger);

/* The folder: made if it is not there, refused if it holds what is not Clew's. */
Status ledger__prepare_directory(const char *directory, Error *error);
char *ledger__file(const char *directory, const char *name); /* the caller frees it */

/* Reads what the database has if it is of this program and `resume` is set, else empties it; then keeps it for writing. */
Status ledger__store_open(Ledger *ledger, bool resume, Error *error);
Status ledger__store_read(Ledger *ledger, Error *error);
void ledger__store_close(LedgerStore *store);

#define LEDGER_DATABASE "ledger.db"
#define LEDGER_JOURNAL "ledger.db-journal"
#define LEDGER_JSON "ledger.json"
#define LEDGER_JSON_ASIDE "ledger.json.new"

#endif
