/* clew test
 * branches: 58 of 78
 * infeasible: 47 true
 * infeasible: 53 true
 * infeasible: 63 true
 * infeasible: 64 true
 * infeasible: 71 true
 * infeasible: 73 false
 * infeasible: 76 true
 * infeasible: 78 true
 * infeasible: 83 false
 * infeasible: 84 true
 * infeasible: 88 true
 * infeasible: 92 true
 * infeasible: 93 true
 * infeasible: 98 true
 * infeasible: 99 true
 * infeasible: 100 true
 * infeasible: 103 true
 * infeasible: 104 false
 * infeasible: 106 false
 * infeasible: 111 false
 *
 * The handshake of an SSH client, as a chain of comparisons of the state in a loop that never ends; `blast_flag` counts the messages
 * that were sent, and `resumed`, `cert_seen` and `keys` are set in certain states only. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define STATE_CONNECT 12292
#define STATE_HELLO 4368
#define STATE_SERVER_HELLO 4384
#define STATE_CERT 4400
#define STATE_KEY 4416
#define STATE_REQUEST 4432
#define STATE_SEND_KEY 4480
#define STATE_CHANGE 4512
#define STATE_FINISH 4560
#define STATE_DONE 3

static int state = STATE_CONNECT;
static int blast_flag, resumed, cert_seen, keys;
static unsigned cipher;

static int receive(unsigned limit)
{
    unsigned n = __VERIFIER_nondet_uint() % limit;
    if (n >= limit) return -2;
    return (int)n - 1;
}

static int select_cipher(int offer)
{
    if (offer < -1) return 0;
    cipher = offer < 2 ? 1u : 2u;
    return 1;
}

int main(void)
{
    int received, turns = 0;
    for (;;) {
        if (state == STATE_CONNECT) {
            if (blast_flag != 0) break;
            if (cipher != 0) break;
            state = STATE_HELLO;
        } else if (state == STATE_HELLO) {
            blast_flag = 1;
            state = STATE_SERVER_HELLO;
        } else if (state == STATE_SERVER_HELLO) {
            received = receive(5);
            if (received > 3) break;
            if (received < 0) return 1;
            if (!select_cipher(received)) break;
            resumed = received == 3;
            state = resumed ? STATE_CHANGE : STATE_CERT;
            if (blast_flag > 1) break;
        } else if (state == STATE_CERT) {
            if (resumed) break;
            cert_seen = __VERIFIER_nondet_int() > 0;
            if (!cert_seen) return 2;
            state = STATE_KEY;
        } else if (state == STATE_KEY) {
            if (!cert_seen) break;
            if (cipher == 0) break;
            if (cipher == 2) keys = 1;
            state = __VERIFIER_nondet_int() ? STATE_REQUEST : STATE_SEND_KEY;
        } else if (state == STATE_REQUEST) {
            if (blast_flag != 1) break;
            blast_flag = 2;
            state = STATE_SEND_KEY;
        } else if (state == STATE_SEND_KEY) {
            if (blast_flag > 2) break;
            if (blast_flag < 1) break;
            keys |= 2;
            blast_flag = 3;
            state = STATE_CHANGE;
        } else if (state == STATE_CHANGE) {
            if (blast_flag == 2) break;
            if (!resumed && blast_flag != 3) break;
            if (resumed && cert_seen) break;
            state = STATE_FINISH;
        } else if (state == STATE_FINISH) {
            if (resumed && keys) break;
            if (!resumed && !(keys & 2)) break;
            state = STATE_DONE;
        } else if (state == STATE_DONE) {
            return keys;
        } else {
            break;
        }
        if (turns < 100) turns++;
    }
    return -1;
}
