/* clew test
 * branches: 65 of 80
 * infeasible: 48 false
 * infeasible: 55 false
 * infeasible: 56 false
 * infeasible: 58 true
 * infeasible: 78 true
 * infeasible: 79 true
 * infeasible: 80 false
 * infeasible: 85 true
 * infeasible: 86 false
 * infeasible: 87 true
 * infeasible: 88 true
 * infeasible: 89 true
 * infeasible: 90 true
 * infeasible: 91 true
 * infeasible: 92 true
 * proved: at least 15
 *
 * A product line: features are chosen once, some exclude or require others, and the code of features asks for combinations that no
 * valid product has. */
extern int __VERIFIER_nondet_int(void);

static int f_encrypt, f_sign, f_verify, f_keys, f_forward, f_responder, f_address_book;

struct mail {
    int from, to, encrypted, is_signed, forwarded;
};

static int chosen(void)
{
    return __VERIFIER_nondet_int() ? 1 : 0;
}

static int valid_product(void)
{
    if (f_encrypt && !f_keys) return 0;
    if (f_sign && !f_keys) return 0;
    if (f_verify && !f_sign) return 0;
    if (f_forward && f_responder) return 0;
    return 1;
}

static void outgoing(struct mail *m)
{
    if (f_keys && f_encrypt) m->encrypted = 1;
    if (f_sign) {
        if (!f_keys) m->from = -1;
        m->is_signed = 1;
    }
}

static int incoming(struct mail *m)
{
    if (f_verify && !m->is_signed) return -1;
    if (m->encrypted && !f_keys) return -2;
    if (f_responder) {
        if (f_forward) return -3;
        m->to = m->from;
        return 1;
    }
    if (f_forward && m->to == 7) m->forwarded = 1;
    return 0;
}

int main(void)
{
    f_encrypt = chosen();
    f_sign = chosen();
    f_verify = chosen();
    f_keys = chosen();
    f_forward = chosen();
    f_responder = chosen();
    f_address_book = chosen();
    if (!valid_product()) return 0;

    int features = f_encrypt + f_sign + f_verify + f_keys + f_forward + f_responder + f_address_book;
    if (features > 6) return 1;
    if (features < 0) return 2;
    if (f_verify && !f_keys) return 3;

    struct mail m = {1, __VERIFIER_nondet_int() & 15, 0, 0, 0};
    if (f_address_book && m.to == 0) m.to = 3;
    outgoing(&m);
    if (m.from != 1) return 4;
    if (m.encrypted && !f_encrypt) return 5;
    if (f_sign != m.is_signed) return 6;
    if (incoming(&m) < 0) return 7;
    if (m.forwarded && f_responder) return 8;
    if (m.forwarded && m.to != 7) return 9;
    if (m.to > 15) return 10;
    if (m.to == 0 && f_address_book) return 11;
    return features == 6;
}
