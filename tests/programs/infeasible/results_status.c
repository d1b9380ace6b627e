/* clew test
 * branches: 44 of 61
 * infeasible: 35 true
 * infeasible: 47 true
 * infeasible: 50 true
 * infeasible: 58 case -11
 * infeasible: 58 case -12
 * infeasible: 58 default
 * infeasible: 73 true
 * infeasible: 74 false
 * infeasible: 81 true
 * infeasible: 82 true
 * infeasible: 84 true
 * infeasible: 85 true
 * infeasible: 86 true
 * infeasible: 87 true
 * infeasible: 88 true
 * infeasible: 89 true
 * infeasible: 90 true
 *
 * Layers of functions that hand status codes up: each returns few values, so the error branches for all others are dead in the callers. */
extern int __VERIFIER_nondet_int(void);

#define OK 0
#define ERR_IO (-5)
#define ERR_AGAIN (-11)
#define ERR_NOMEM (-12)
#define ERR_INVALID (-22)

static int retries, opened, errors;

static int bus_read(int address)
{
    int line = __VERIFIER_nondet_int();
    if (address & 1) return ERR_INVALID;
    if (line == 0) return ERR_AGAIN;
    if (line < 0) return ERR_IO;
    return OK;
}

static int read_retry(int address)
{
    int status = ERR_AGAIN, left = 3;
    while (status == ERR_AGAIN && left > 0) {
        status = bus_read(address);
        left--;
        if (left < 0) return ERR_INVALID;
        if (status == ERR_AGAIN) retries++;
    }
    if (retries > 6) return ERR_NOMEM;
    return status == ERR_AGAIN ? ERR_IO : status;
}

static int open_device(int number)
{
    if (number < 0 || number > 7) return ERR_INVALID;
    int status = read_retry(number * 2);
    switch (status) {
    case OK: break;
    case ERR_IO: errors++; return ERR_IO;
    case ERR_AGAIN: return ERR_AGAIN;
    case ERR_NOMEM: return ERR_NOMEM;
    default: return ERR_INVALID;
    }
    opened++;
    return OK;
}

static const char *message(int status)
{
    if (status == OK) return "ok";
    if (status == ERR_IO) return "input or output";
    if (status == ERR_AGAIN) return "try again";
    if (status == ERR_INVALID) return "invalid";
    return 0;
}

int main(void)
{
    int first = open_device(__VERIFIER_nondet_int());
    if (first > 0) return 1;
    if (first == ERR_NOMEM) return 2;
    int second = open_device(__VERIFIER_nondet_int());
    if (second == ERR_AGAIN) return 3;
    if (opened > 2) return 4;
    if (first == OK && opened == 0) return 5;
    if (first == OK && second == OK && errors > 0) return 6;
    if (opened + errors > 2) return 7;
    if (message(first) == 0) return 8;
    if (message(second) == 0) return 9;
    return opened == 2 ? 10 : 0;
}
