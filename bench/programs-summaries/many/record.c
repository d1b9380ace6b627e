/* A record of fields, each with a validator that returns an error code; all the errors are reported together. */
#include <clew.h>

typedef enum Error { OK, TOO_SMALL, TOO_LARGE, NOT_A_LETTER, RESERVED, MISMATCH } Error;

typedef struct Record {
    int id;
    char code[3];
    unsigned char version;
    short length;
    unsigned char flags;
    unsigned char check;
} Record;

static Error check_id(int id)
{
    if (id <= 0) return TOO_SMALL;
    if (id > 999999) return TOO_LARGE;
    if (id == 1000) return RESERVED;
    return OK;
}

static Error check_letter(char letter)
{
    if (letter >= 'A' && letter <= 'Z') return OK;
    return NOT_A_LETTER;
}

static Error check_code(const char *code)
{
    for (int i = 0; i < 3; i++) {
        Error error = check_letter(code[i]);
        if (error != OK) return error;
    }
    if (code[0] == 'X' && code[1] == 'X') return RESERVED;
    return OK;
}

static Error check_version(int version)
{
    if (version < 2) return TOO_SMALL;
    if (version > 5) return TOO_LARGE;
    return OK;
}

static Error check_length(int length, int version)
{
    if (length < 8) return TOO_SMALL;
    if (version >= 4 && length > 4096) return TOO_LARGE;
    if (version < 4 && length > 512) return TOO_LARGE;
    return OK;
}

static Error check_flags(unsigned flags)
{
    if (flags & 0xc0) return RESERVED;
    if ((flags & 1) && (flags & 2)) return MISMATCH;
    return OK;
}

static Error check_sum(const Record *record)
{
    unsigned sum = record->version + record->flags;
    for (int i = 0; i < 3; i++) sum += (unsigned char)record->code[i];
    return (sum & 0xff) == record->check ? OK : MISMATCH;
}

int main(void)
{
    Record record;
    clew_make_symbolic(&record, sizeof record, "record");
    Error errors[] = {check_id(record.id),           check_code(record.code),
                      check_version(record.version), check_length(record.length, record.version),
                      check_flags(record.flags),     check_sum(&record)};
    int count = 0, sum = 0;
    for (int i = 0; i < 6; i++) {
        if (errors[i] == OK) continue;
        count++;
        sum += errors[i];
    }
    if (count == 0) return 0;
    /* The sum of the codes was meant to be different from that of a single error. */
    clew_assert(!(count == 4 && sum == 13));
    return count > 3 ? 2 : 1;
}
