/* clew test
 * branches: 39 of 55
 * infeasible: 50 true
 * infeasible: 51 true
 * infeasible: 57 true
 * infeasible: 59 false
 * infeasible: 68 default
 * infeasible: 75 true
 * infeasible: 76 false
 * infeasible: 83 true
 * infeasible: 89 true
 * infeasible: 98 false
 * infeasible: 99 true
 * infeasible: 107 true
 * infeasible: 111 true
 * infeasible: 118 true
 * infeasible: 119 true
 * infeasible: 124 true
 *
 * The handshake of an SSH server in the manner of s3_srvr.c: distant constants as states, flags that follow them, and a counter
 * (blast_flag) that tells which messages have gone by. Checks that compare the counter or a flag with the state never fail. */
extern int __VERIFIER_nondet_int(void);

enum {
    ACCEPT = 8464,
    HELLO_A = 8480,
    HELLO_B = 8496,
    CERT_A = 8512,
    KEY_A = 8528,
    DONE_A = 8576,
    EXCHANGE_A = 8592,
    VERIFY_A = 8608,
    FINISHED_A = 8640,
    FLUSH = 8656,
    REPLY_A = 8672,
    OK = 3
};

struct session {
    int state, next_state;
    int hit, init_num, renegotiate;
    int verify_peer;
};

static struct session s;
static int blast_flag;

static int check_order(int lowest, int highest)
{
    if (blast_flag < lowest) return -1;
    if (blast_flag > highest) return -1;
    return 0;
}

static int finish(void)
{
    if (s.init_num != 0) return 1;
    s.renegotiate = 0;
    return blast_flag == 4 ? 0 : 2;
}

int main(void)
{
    s.state = ACCEPT;
    s.verify_peer = __VERIFIER_nondet_int() != 0;
    while (1) {
        int ret = __VERIFIER_nondet_int();
        switch (s.state) {
        case ACCEPT:
            s.renegotiate = 1;
            s.init_num = 0;
            s.state = HELLO_A;
            break;
        case HELLO_A:
            if (check_order(0, 0) < 0) goto broken;
            if (!s.renegotiate) goto broken;
            if (ret <= 0) return 1;
            blast_flag = 1;
            s.hit = ret == 2;
            s.state = HELLO_B;
            break;
        case HELLO_B:
            if (blast_flag != 1) goto broken;
            if (s.hit) s.state = FINISHED_A;
            else s.state = CERT_A;
            s.next_state = s.state;
            break;
        case CERT_A:
            if (s.hit) goto broken;
            if (ret <= 0) return 2;
            s.state = KEY_A;
            break;
        case KEY_A:
            blast_flag = 2;
            s.state = s.verify_peer ? VERIFY_A : DONE_A;
            break;
        case VERIFY_A:
            if (!s.verify_peer) goto broken;
            if (blast_flag != 2) goto broken;
            s.state = DONE_A;
            break;
        case DONE_A:
            s.next_state = EXCHANGE_A;
            s.state = FLUSH;
            break;
        case FLUSH:
            if (s.next_state == ACCEPT) goto broken;
            s.state = s.next_state;
            break;
        case EXCHANGE_A:
            if (check_order(2, 3) < 0) goto broken;
            if (ret <= 0) return 3;
            blast_flag = 3;
            s.next_state = FINISHED_A;
            s.state = FINISHED_A;
            break;
        case FINISHED_A:
            if (s.next_state != FINISHED_A) goto broken;
            if (blast_flag == 2) goto broken;
            blast_flag = 4;
            s.state = s.hit ? OK : REPLY_A;
            break;
        case REPLY_A:
            if (blast_flag != 4) goto broken;
            s.state = OK;
            break;
        case OK:
            return finish();
        default:
            return 9;
        }
    }
broken:
    return -1;
}
