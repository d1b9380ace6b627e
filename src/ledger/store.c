/* ledger: DIR/ledger.db.  The one file that knows SQLite.
 *
 * One table for each kind of entry, its first column the entry's number, and `meta` for what there is once.  A commit is one transaction that replaces the
 * rows of changed entries, so at any moment the file holds what some commit left: SQLite's rollback journal undoes a half-written one when the
 * database is opened next.  The journal, not the write-ahead log, because an output folder may lie on a network file system.
 *
 * The database is locked for as long as a campaign has it open: a second Clew in the same folder is told so instead of mixing in.  The lock
 * is of the process and goes with it, however it ends; children do not inherit it and must leave the database alone.  A new campaign empties the
 * tables in place, in one transaction, rather than removing a file that another process might hold.
 *
 * What is read is checked: numbers in range, rows dense, references to entries that exist. */
#include "ledger/ledger_int.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

enum { APPLICATION = 0x436c6577 /* "Clew" */, SCHEMA = 5, BUSY_MILLISECONDS = 1000 };

/* A statement whose columns or parameters are gone through from left to right. */
typedef struct Row {
    sqlite3_stmt *statement;
    int column;
    const char *fault; /* of what was read; NULL: none */
} Row;

/* ---- one row ---- */

static void put_int(Row *row, uint64_t value)
{
    sqlite3_bind_int64(row->statement, ++row->column, (sqlite3_int64)value);
}

static void put_real(Row *row, double value)
{
    sqlite3_bind_double(row->statement, ++row->column, value);
}

static void put_text(Row *row, const char *text)
{
    if (text) sqlite3_bind_text(row->statement, ++row->column, text, -1, SQLITE_TRANSIENT);
    else sqlite3_bind_null(row->statement, ++row->column);
}

static void put_bytes(Row *row, const StrBuf *bytes)
{
    sqlite3_bind_blob64(row->statement, ++row->column, bytes->len ? bytes->text : "", bytes->len, SQLITE_TRANSIENT);
}

static uint64_t get_wide(Row *row)
{
    return (uint64_t)sqlite3_column_int64(row->statement, row->column++);
}

static uint32_t get_int(Row *row, uint32_t limit)
{
    uint64_t value = get_wide(row);
    if (value > limit) row->fault = "a number is too large";
    return value > limit ? 0 : (uint32_t)value;
}

static double get_real(Row *row)
{
    return sqlite3_column_double(row->statement, row->column++);
}

static char *get_text(Row *row)
{
    const unsigned char *text = sqlite3_column_text(row->statement, row->column++);
    return text ? mem_strdup((const char *)text) : NULL;
}

static char *get_name(Row *row)
{
    char *name = get_text(row);
    if (!name) row->fault = "a name is missing";
    return name ? name : mem_strdup("");
}

static const void *get_bytes(Row *row, size_t *n)
{
    const void *bytes = sqlite3_column_blob(row->statement, row->column);
    *n = (size_t)sqlite3_column_bytes(row->statement, row->column++);
    return bytes;
}

/* ---- one entry of each kind ---- */

static void write_branch(const Ledger *ledger, uint32_t i, Row *row)
{
    const LedgerBranch *branch = &vec_at(&ledger->branches, i);
    put_text(row, branch->function);
    put_text(row, branch->file);
    put_int(row, branch->line);
    put_int(row, branch->column);
    put_int(row, branch->ordinal);
    put_int(row, branch->which);
    put_text(row, branch->outcome);
    put_int(row, branch->status);
    put_int(row, branch->counted);
    put_int(row, branch->reached);
    put_int(row, branch->test);
    put_text(row, branch->proof);
    put_text(row, branch->reason);
}

static void read_branch(Ledger *ledger, Row *row)
{
    LedgerBranch branch = {.id = ledger->branches.len};
    branch.function = get_text(row);
    branch.file = get_text(row);
    branch.line = get_int(row, UINT32_MAX);
    branch.column = get_int(row, UINT32_MAX);
    branch.ordinal = get_int(row, UINT32_MAX);
    branch.which = get_int(row, UINT32_MAX);
    branch.outcome = get_text(row);
    branch.status = (LedgerStatus)get_int(row, LEDGER_INFEASIBLE);
    branch.counted = get_int(row, 1);
    branch.reached = get_int(row, 1);
    branch.test = get_int(row, UINT32_MAX);
    branch.proof = get_text(row);
    branch.reason = get_text(row);
    vec_push(&ledger->branches, branch);
}

static void write_test(const Ledger *ledger, uint32_t i, Row *row)
{
    const LedgerTest *test = &vec_at(&ledger->tests, i);
    StrBuf bytes = {0};
    record_write(&test->record, &bytes);
    put_text(row, test->unit);
    put_text(row, test->path);
    put_text(row, test->name);
    put_text(row, test->outcome);
    put_int(row, test->refined);
    put_int(row, test->kept);
    put_int(row, test->replayed);
    put_text(row, test->trouble);
    put_int(row, test->bug);
    put_bytes(row, &bytes);
    strbuf_clear(&bytes);
    for (uint32_t k = 0; k < test->covers.len; k++) strbuf_add_bytes(&bytes, &test->covers.data[k], sizeof *test->covers.data);
    put_bytes(row, &bytes);
    strbuf_release(&bytes);
}

static void read_covers(LedgerTest *test, Row *row)
{
    size_t n;
    const char *bytes = get_bytes(row, &n);
    for (size_t at = 0; at + sizeof(uint32_t) <= n; at += sizeof(uint32_t)) {
        uint32_t branch;
        memcpy(&branch, bytes + at, sizeof branch);
        vec_push(&test->covers, branch);
    }
}

static void read_test(Ledger *ledger, Row *row)
{
    LedgerTest test = {.id = ledger->tests.len + 1};
    size_t n;
    test.unit = get_text(row);
    test.path = get_text(row);
    test.name = get_text(row);
    test.outcome = get_text(row);
    test.refined = get_int(row, 1);
    test.kept = get_int(row, 1);
    test.replayed = get_int(row, 1);
    test.trouble = get_text(row);
    test.bug = get_int(row, UINT32_MAX);
    const void *bytes = get_bytes(row, &n);
    if (record_read(&test.record, bytes ? bytes : "", n, NULL) != OK) row->fault = "the record of a test is damaged";
    read_covers(&test, row);
    vec_push(&ledger->tests, test);
}

static void write_bug(const Ledger *ledger, uint32_t i, Row *row)
{
    const LedgerBug *bug = &vec_at(&ledger->bugs, i);
    put_text(row, bug->kind);
    put_text(row, bug->function);
    put_text(row, bug->file);
    put_int(row, bug->line);
    put_int(row, bug->column);
    put_text(row, bug->message);
    put_int(row, bug->test);
    put_int(row, bug->confirmed);
    put_text(row, bug->evidence);
    put_text(row, bug->unit);
    put_text(row, bug->precondition);
}

static void read_bug(Ledger *ledger, Row *row)
{
    LedgerBug bug = {.kind = get_text(row)};
    bug.function = get_text(row);
    bug.file = get_text(row);
    bug.line = get_int(row, UINT32_MAX);
    bug.column = get_int(row, UINT32_MAX);
    bug.message = get_text(row);
    bug.test = get_int(row, UINT32_MAX);
    bug.confirmed = get_int(row, 1);
    bug.evidence = get_text(row);
    bug.unit = get_text(row);
    bug.precondition = get_text(row);
    vec_push(&ledger->bugs, bug);
}

/* Its assumptions are one value: each with the NUL at its end. */
static void write_unit(const Ledger *ledger, uint32_t i, Row *row)
{
    const LedgerUnit *unit = &vec_at(&ledger->units, i);
    StrBuf assumptions = {0};
    for (uint32_t k = 0; k < unit->assumptions.len; k++) {
        const char *text = vec_at(&unit->assumptions, k);
        strbuf_add_bytes(&assumptions, text, strlen(text) + 1);
    }
    put_text(row, unit->name);
    put_text(row, unit->file);
    put_int(row, unit->line);
    put_int(row, unit->done);
    put_int(row, unit->complete);
    put_text(row, unit->problem);
    put_int(row, unit->runs);
    put_int(row, unit->paths);
    put_real(row, unit->seconds);
    put_int(row, unit->hash);
    put_bytes(row, &assumptions);
    strbuf_release(&assumptions);
}

static void read_unit(Ledger *ledger, Row *row)
{
    LedgerUnit unit = {.name = get_name(row)};
    size_t n;
    unit.file = get_text(row);
    unit.line = get_int(row, UINT32_MAX);
    unit.done = get_int(row, 1);
    unit.complete = get_int(row, 1);
    unit.problem = get_text(row);
    unit.runs = get_wide(row);
    unit.paths = get_wide(row);
    unit.seconds = get_real(row);
    unit.hash = get_wide(row);
    const char *texts = get_bytes(row, &n);
    if (n && texts[n - 1]) row->fault = "an assumption has no end";
    else
        for (size_t at = 0; at < n; at += strlen(texts + at) + 1) vec_push(&unit.assumptions, mem_strdup(texts + at));
    vec_push(&ledger->units, unit);
}

static void write_loss(const Ledger *ledger, uint32_t i, Row *row)
{
    const LedgerLoss *loss = &vec_at(&ledger->losses, i);
    put_text(row, loss->unit);
    put_text(row, loss->file);
    put_int(row, loss->line);
    put_text(row, loss->reason);
}

static void read_loss(Ledger *ledger, Row *row)
{
    LedgerLoss loss = {.unit = get_text(row)};
    loss.file = get_text(row);
    loss.line = get_int(row, UINT32_MAX);
    loss.reason = get_name(row);
    ledger__new_loss(ledger, &loss);
    vec_push(&ledger->losses, loss);
}

static void write_summary(const Ledger *ledger, uint32_t i, Row *row)
{
    const LedgerSummary *summary = &vec_at(&ledger->summaries, i);
    put_text(row, summary->function);
    put_int(row, summary->hash);
    put_int(row, summary->paths);
    put_int(row, summary->kept);
    put_int(row, summary->explored);
    put_int(row, summary->reused);
    put_int(row, summary->inlined);
    put_text(row, summary->why);
    put_text(row, summary->text);
    put_bytes(row, &summary->bytes);
}

static void read_summary(Ledger *ledger, Row *row)
{
    LedgerSummary summary = {.function = get_name(row)};
    size_t n;
    summary.hash = get_wide(row);
    summary.paths = summary.past = get_wide(row);
    summary.kept = get_wide(row);
    summary.explored = get_wide(row);
    summary.reused = get_wide(row);
    summary.inlined = get_wide(row);
    summary.why = get_text(row);
    summary.text = get_text(row);
    const void *bytes = get_bytes(row, &n);
    if (n) strbuf_add_bytes(&summary.bytes, bytes, n);
    vec_push(&ledger->summaries, summary);
}

static void write_stat(const Ledger *ledger, uint32_t i, Row *row)
{
    put_text(row, vec_at(&ledger->stats, i).name);
    put_real(row, vec_at(&ledger->stats, i).value);
}

static void read_stat(Ledger *ledger, Row *row)
{
    LedgerStat stat = {.name = get_name(row)};
    stat.value = get_real(row);
    vec_push(&ledger->stats, stat);
}

static const struct Table {
    const char *name, *columns;
    void (*write)(const Ledger *ledger, uint32_t i, Row *row);
    void (*read)(Ledger *ledger, Row *row);
} TABLES[LEDGER_KINDS] = {
#define KIND(NAME, entry, table, columns) [LEDGER_##NAME] = {table, columns, write_##entry, read_##entry},
#include "ledger/kinds.def"
#undef KIND
};

/* ---- statements ---- */

static Status complain(const Ledger *ledger, const char *doing, Error *error)
{
    sqlite3 *database = ledger->store->database;
    int code = database ? sqlite3_errcode(database) & 0xff : SQLITE_NOMEM;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return fail(error, "another Clew is at work in %s: wait for it, or choose another directory with --out", ledger->directory);
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return fail(error, "%s/" LEDGER_DATABASE " is damaged or not Clew's: choose another directory with --out, or remove it",
                    ledger->directory);
    return fail(error, "cannot %s %s/" LEDGER_DATABASE ": %s", doing, ledger->directory, database ? sqlite3_errmsg(database) : "no memory");
}

static Status damaged(const Ledger *ledger, const char *what, Error *error)
{
    return fail(error, "%s/" LEDGER_DATABASE " is damaged (%s): start again without --resume", ledger->directory, what);
}

static Status run_sql(const Ledger *ledger, const char *sql, Error *error)
{
    return sqlite3_exec(ledger->store->database, sql, NULL, NULL, NULL) == SQLITE_OK ? OK : complain(ledger, "write", error);
}

/* A pragma or count: one number. */
static Status ask_number(const Ledger *ledger, const char *sql, int64_t *value, Error *error)
{
    Row row = {0};
    if (sqlite3_prepare_v2(ledger->store->database, sql, -1, &row.statement, NULL) != SQLITE_OK) return complain(ledger, "read", error);
    int code = sqlite3_step(row.statement);
    *value = code == SQLITE_ROW ? (int64_t)get_wide(&row) : 0;
    sqlite3_finalize(row.statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? OK : complain(ledger, "read", error);
}

/* ---- reading ---- */

static Status read_table(Ledger *ledger, const struct Table *table, Error *error)
{
    char *sql = mem_format("SELECT * FROM %s ORDER BY id", table->name);
    Row row = {0};
    int code = sqlite3_prepare_v2(ledger->store->database, sql, -1, &row.statement, NULL);
    free(sql);
    if (code != SQLITE_OK) return complain(ledger, "read", error);
    uint32_t expected = 0;
    while (!row.fault && (code = sqlite3_step(row.statement)) == SQLITE_ROW) {
        row.column = 0;
        if (get_wide(&row) != expected++) row.fault = "a row is missing";
        table->read(ledger, &row);
    }
    sqlite3_finalize(row.statement);
    if (row.fault) return damaged(ledger, row.fault, error);
    return code == SQLITE_DONE ? OK : complain(ledger, "read", error);
}

static Status read_meta(Ledger *ledger, Error *error)
{
    Row row = {0};
    const char *sql = "SELECT target, sources, options, budget, engine, complete, ended FROM meta";
    int code = sqlite3_prepare_v2(ledger->store->database, sql, -1, &row.statement, NULL);
    if (code != SQLITE_OK) return complain(ledger, "read", error);
    code = sqlite3_step(row.statement);
    if (code == SQLITE_ROW) {
        free(ledger->target);
        ledger->target = get_name(&row);
        ledger->identity.sources = get_wide(&row);
        ledger->identity.options = get_wide(&row);
        ledger->identity.budget = get_wide(&row);
        ledger->identity.engine = get_wide(&row);
        ledger->complete = ledger->store->stored_complete = get_int(&row, 1);
        ledger->ended = ledger->store->stored_ended = get_int(&row, 1);
    }
    sqlite3_finalize(row.statement);
    if (code == SQLITE_DONE) row.fault = "it says nothing of its target";
    if (row.fault) return damaged(ledger, row.fault, error);
    return code == SQLITE_ROW ? OK : complain(ledger, "read", error);
}

static Status read_tables(Ledger *ledger, Error *error)
{
    for (unsigned kind = 0; kind < LEDGER_KINDS; kind++)
        if (read_table(ledger, &TABLES[kind], error) != OK) return FAILED;
    const char *fault = ledger__check(ledger);
    return fault ? damaged(ledger, fault, error) : OK;
}

/* ---- opening ---- */

static Status open_database(Ledger *ledger, int flags, Error *error)
{
    char *path = ledger__file(ledger->directory, LEDGER_DATABASE);
    int code = sqlite3_open_v2(path, &ledger->store->database, flags, NULL);
    free(path);
    if (code != SQLITE_OK) return complain(ledger, "open", error);
    ledger->store->owner = getpid();
    sqlite3_busy_timeout(ledger->store->database, BUSY_MILLISECONDS);
    return OK;
}

/* Whose is it?  `empty`: nobody's yet, as after a Clew that was killed while it made the file. */
static Status identify(const Ledger *ledger, bool *empty, int64_t *schema, Error *error)
{
    int64_t application = 0, tables = 0;
    if (ask_number(ledger, "SELECT count(*) FROM sqlite_master", &tables, error) != OK) return FAILED;
    if (ask_number(ledger, "PRAGMA application_id", &application, error) != OK) return FAILED;
    if (ask_number(ledger, "PRAGMA user_version", schema, error) != OK) return FAILED;
    *empty = tables == 0;
    if (tables && application != APPLICATION)
        return fail(error, "%s/" LEDGER_DATABASE " is a database, but not Clew's: choose another directory with --out", ledger->directory);
    return OK;
}

static Status drop_tables(const Ledger *ledger, Error *error)
{
    for (;;) {
        Row row = {0};
        const char *sql =
            "SELECT 'DROP TABLE \"' || name || '\"' FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' LIMIT 1";
        if (sqlite3_prepare_v2(ledger->store->database, sql, -1, &row.statement, NULL) != SQLITE_OK) return complain(ledger, "read", error);
        char *drop = sqlite3_step(row.statement) == SQLITE_ROW ? get_text(&row) : NULL;
        sqlite3_finalize(row.statement);
        if (!drop) return OK;
        Status status = run_sql(ledger, drop, error);
        free(drop);
        if (status != OK) return status;
    }
}

static Status write_meta(Ledger *ledger, Error *error)
{
    Row row = {0};
    LedgerStore *store = ledger->store;
    const char *sql = "INSERT OR REPLACE INTO meta VALUES(0, ?, ?, ?, ?, ?, ?, ?)";
    if (sqlite3_prepare_v2(store->database, sql, -1, &row.statement, NULL) != SQLITE_OK) return complain(ledger, "write", error);
    put_text(&row, ledger->target);
    put_int(&row, ledger->identity.sources);
    put_int(&row, ledger->identity.options);
    put_int(&row, ledger->identity.budget);
    put_int(&row, ledger->identity.engine);
    put_int(&row, ledger->complete);
    put_int(&row, ledger->ended);
    int code = sqlite3_step(row.statement);
    sqlite3_finalize(row.statement);
    return code == SQLITE_DONE ? OK : complain(ledger, "write", error);
}

static Status make_tables(Ledger *ledger, Error *error)
{
    if (drop_tables(ledger, error) != OK) return FAILED;
    StrBuf sql = {0};
    strbuf_addf(&sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION, SCHEMA);
    strbuf_add(&sql, "CREATE TABLE meta(id INTEGER PRIMARY KEY, target TEXT, sources INT, options INT, budget INT, engine INT, complete "
                     "INT, ended INT);");
    for (unsigned kind = 0; kind < LEDGER_KINDS; kind++)
        strbuf_addf(&sql, "CREATE TABLE %s(id INTEGER PRIMARY KEY, %s);", TABLES[kind].name, TABLES[kind].columns);
    Status status = run_sql(ledger, sql.text, error);
    strbuf_release(&sql);
    return status == OK ? write_meta(ledger, error) : status;
}

static Status resume_campaign(Ledger *ledger, int64_t schema, Error *error)
{
    LedgerIdentity now = ledger->identity;
    if (schema != SCHEMA)
        return fail(error, "the campaign in %s is of another version of Clew: start again without --resume", ledger->directory);
    if (read_meta(ledger, error) != OK) return FAILED;
    if (now.sources != ledger->identity.sources || now.options != ledger->identity.options)
        return fail(
            error,
            "the campaign in %s (of %s) is of another program or has other options: start again without --resume, or choose another "
            "directory with --out",
            ledger->directory, ledger->target);
    ledger->identity = now;
    ledger->ended = false;
    return read_tables(ledger, error);
}

/* Tests may still pass, and what functions do may still be true.  Tables that cannot be read are as good as none: the campaign that they belong to goes anyway. */
static void read_past(Ledger *ledger)
{
    Error ignored;
    Ledger *past = ledger__new(ledger->directory);
    past->store->database = ledger->store->database;
    bool read = read_meta(past, &ignored) == OK && read_tables(past, &ignored) == OK;
    past->store->database = NULL;
    if (read) ledger->past = past;
    else ledger_free(past);
}

static void remove_json(const Ledger *ledger)
{
    char *json = ledger__file(ledger->directory, LEDGER_JSON), *aside = ledger__file(ledger->directory, LEDGER_JSON_ASIDE);
    unlink(json);
    unlink(aside);
    free(json);
    free(aside);
}

static Status begin_campaign(Ledger *ledger, bool resume, Error *error)
{
    bool empty = true;
    int64_t schema = 0;
    if (identify(ledger, &empty, &schema, error) != OK) return FAILED;
    if (resume && !empty) return resume_campaign(ledger, schema, error);
    if (!empty && schema == SCHEMA) read_past(ledger);
    remove_json(ledger); /* first: an account must never stand beside a database that knows nothing of it */
    return make_tables(ledger, error);
}

Status ledger__store_open(Ledger *ledger, bool resume, Error *error)
{
    if (open_database(ledger, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error) != OK) return FAILED;
    if (run_sql(ledger, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL; BEGIN EXCLUSIVE", error) != OK) return FAILED;
    if (begin_campaign(ledger, resume, error) != OK) return FAILED; /* closing rolls back */
    return run_sql(ledger, "COMMIT", error);
}

Status ledger__store_read(Ledger *ledger, Error *error)
{
    LedgerStore *store = ledger->store;
    bool empty = true;
    int64_t schema = 0;
    char *path = ledger__file(ledger->directory, LEDGER_DATABASE);
    bool there = access(path, F_OK) == 0;
    free(path);
    if (!there)
        return fail(error, "%s holds no campaign (there is no " LEDGER_DATABASE "): make one with clew test --out", ledger->directory);
    if (open_database(ledger, SQLITE_OPEN_READWRITE, error) != OK || run_sql(ledger, "BEGIN", error) != OK) return FAILED;
    if (identify(ledger, &empty, &schema, error) != OK) return FAILED;
    if (empty) return fail(error, "the campaign in %s was ended before it had begun: run clew test again", ledger->directory);
    if (schema != SCHEMA) return fail(error, "the campaign in %s is of another version of Clew: run clew test again", ledger->directory);
    if (read_meta(ledger, error) != OK || read_tables(ledger, error) != OK) return FAILED;
    ledger__store_close(store);
    return OK;
}

void ledger__store_close(LedgerStore *store)
{
    if (store->owner == getpid()) sqlite3_close(store->database);
    store->database = NULL;
}

/* ---- commit ---- */

static char *insertion(const struct Table *table)
{
    StrBuf sql = {0};
    strbuf_addf(&sql, "INSERT OR REPLACE INTO %s VALUES(?, ?", table->name);
    for (const char *c = table->columns; *c; c++)
        if (*c == ',') strbuf_add(&sql, ", ?");
    strbuf_add(&sql, ")");
    return sql.text;
}

static Status write_changes(const Ledger *ledger, LedgerKind kind, Error *error)
{
    const LedgerChanges *changes = &ledger->store->changes[kind];
    const struct Table *table = &TABLES[kind];
    if (!changes->list.len) return OK;
    char *sql = insertion(table);
    Row row = {0};
    int code = sqlite3_prepare_v2(ledger->store->database, sql, -1, &row.statement, NULL);
    free(sql);
    if (code != SQLITE_OK) return complain(ledger, "write", error);
    code = SQLITE_DONE;
    for (uint32_t i = 0; i < changes->list.len && code == SQLITE_DONE; i++) {
        row.column = 0;
        put_int(&row, vec_at(&changes->list, i));
        table->write(ledger, vec_at(&changes->list, i), &row);
        assert(row.column == sqlite3_bind_parameter_count(row.statement));
        code = sqlite3_step(row.statement);
        sqlite3_reset(row.statement);
    }
    Status status = code == SQLITE_DONE ? OK : complain(ledger, "write", error);
    sqlite3_finalize(row.statement);
    return status;
}

static Status write_all(Ledger *ledger, Error *error)
{
    if (run_sql(ledger, "BEGIN IMMEDIATE", error) != OK) return FAILED;
    if (ledger->store->losses_dropped && run_sql(ledger, "DELETE FROM losses", error) != OK) return FAILED;
    for (unsigned kind = 0; kind < LEDGER_KINDS; kind++)
        if (write_changes(ledger, (LedgerKind)kind, error) != OK) return FAILED;
    if (write_meta(ledger, error) != OK) return FAILED;
    return run_sql(ledger, "COMMIT", error);
}

static bool has_changes(const Ledger *ledger)
{
    const LedgerStore *store = ledger->store;
    bool changed = ledger->complete != store->stored_complete || ledger->ended != store->stored_ended || store->losses_dropped;
    for (unsigned kind = 0; kind < LEDGER_KINDS; kind++) changed |= ledger->store->changes[kind].list.len > 0;
    return changed;
}

static void forget_changes(Ledger *ledger)
{
    for (unsigned kind = 0; kind < LEDGER_KINDS; kind++) {
        LedgerChanges *changes = &ledger->store->changes[kind];
        for (uint32_t i = 0; i < changes->list.len; i++) vec_at(&changes->marked, vec_at(&changes->list, i)) = 0;
        vec_clear(&changes->list);
    }
    ledger->store->stored_complete = ledger->complete;
    ledger->store->stored_ended = ledger->ended;
    ledger->store->losses_dropped = false;
}

Status ledger_commit(Ledger *ledger, Error *error)
{
    LedgerStore *store = ledger->store;
    if (!store->database || !has_changes(ledger)) return OK;
    REQUIRE(store->owner == getpid(), "only the process that opened a ledger commits to it");
    if (write_all(ledger, error) != OK) {
        if (!sqlite3_get_autocommit(store->database)) sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
        return FAILED; /* the changes stay listed: the next commit tries again */
    }
    forget_changes(ledger);
    return OK;
}
