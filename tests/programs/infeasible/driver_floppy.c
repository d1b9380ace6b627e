/* clew test
 * branches: 44 of 61
 * infeasible: 41 false
 * infeasible: 47 true
 * infeasible: 54 true
 * infeasible: 57 true
 * infeasible: 62 default
 * infeasible: 76 true
 * infeasible: 80 true
 * infeasible: 93 true
 * infeasible: 123 true
 * infeasible: 124 true
 * infeasible: 126 true
 * infeasible: 127 true
 * infeasible: 128 true
 * infeasible: 129 true
 * infeasible: 130 true
 * infeasible: 131 true
 * infeasible: 132 true
 *
 * The dispatch routine of a floppy driver in the manner of the Windows DDK: every request is completed, skipped or passed on exactly
 * once, a completion routine is registered before the lower driver is called, and status codes say what happened. */
extern int __VERIFIER_nondet_int(void);

#define STATUS_SUCCESS 0
#define STATUS_PENDING 259
#define STATUS_UNSUCCESSFUL (-1073741823)
#define STATUS_NOT_SUPPORTED (-1073741637)
#define STATUS_MORE_PROCESSING (-1073741802)

enum { NP, DC, SKIP1, IPC, MPR1, UNLOADED };
static int s = NP, pended, comp_registered, lower_status, lower_called, my_status;

static void error(void)
{
    __builtin_trap();
}

static void stub_complete(void)
{
    if (s == NP) s = DC;
    else error();
}

static void set_completion(void)
{
    if (comp_registered != 0) error();
    comp_registered = 1;
}

static int call_lower(void)
{
    int choice = __VERIFIER_nondet_int();
    if (lower_called) error();
    lower_called = 1;
    if (comp_registered) {
        if (s != NP) error();
        s = MPR1;
    } else {
        s = IPC;
    }
    switch (choice & 3) {
    case 0: lower_status = STATUS_SUCCESS; break;
    case 1: lower_status = STATUS_UNSUCCESSFUL; break;
    case 2: lower_status = STATUS_PENDING; break;
    case 3: lower_status = STATUS_UNSUCCESSFUL; break;
    }
    return lower_status;
}

static int start_device(void)
{
    set_completion();
    int status = call_lower();
    if (status == STATUS_PENDING) {
        if (s != MPR1) error();
        s = NP;
        status = lower_status = STATUS_SUCCESS;
    }
    if (status > 0) error();
    if (s == MPR1) s = NP;
    comp_registered = 0;
    my_status = status;
    stub_complete();
    return status;
}

static int device_control(int code)
{
    if (code == 0x74000) {
        my_status = STATUS_SUCCESS;
    } else if (code == 0x74080) {
        if (pended) error();
        pended = 1;
        return STATUS_PENDING;
    } else {
        my_status = STATUS_NOT_SUPPORTED;
    }
    stub_complete();
    return my_status;
}

int main(void)
{
    int major = __VERIFIER_nondet_int(), status;
    if (major == 27) {
        if (__VERIFIER_nondet_int() == 0) {
            status = start_device();
        } else {
            s = SKIP1;
            status = call_lower();
        }
    } else if (major == 14) {
        status = device_control(__VERIFIER_nondet_int());
    } else if (major == 2) {
        my_status = STATUS_SUCCESS;
        stub_complete();
        status = my_status;
    } else {
        return 1;
    }
    if (pended) {
        if (s != NP) error();
        if (status != STATUS_PENDING) error();
    } else {
        if (s == NP) error();
        if (s == SKIP1) error();
        if (s == UNLOADED) error();
        if (s == MPR1) error();
        if (s == DC && status == STATUS_PENDING) error();
        if (s == IPC && status != lower_status) error();
        if (status == STATUS_MORE_PROCESSING) error();
    }
    return 0;
}
