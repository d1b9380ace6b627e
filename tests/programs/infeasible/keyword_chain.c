/* clew test --work 4000
 * branches: 245 of 260
 * infeasible: 48 true
 * infeasible: 49 true
 * infeasible: 53 true
 * infeasible: 92 true
 * infeasible: 128 true
 * infeasible: 164 true
 * infeasible: 187 true
 * infeasible: 195 true
 * infeasible: 198 true
 * infeasible: 201 true
 * infeasible: 204 true
 * infeasible: 205 true
 * infeasible: 207 true
 * infeasible: 208 true
 * infeasible: 209 true
 * proved: at least 10
 * covered: at least 100
 *
 * Figure 7 of the paper on bidirectional symbolic analysis: the matcher of keywords of an interpreter of antenna definitions, called 107 times in a
 * chain. Each call has to match its keyword before the next one is made. The length of a word keeps within its bounds, the matcher returns
 * 0 or 1 only, and the number of matches is known at each place of the chain. */
#include <ctype.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

#define KWDSLEN 6
struct tape {
    int last, matched, words;
};

static int tape_get(struct tape *t)
{
    t->last = __VERIFIER_nondet_char() & 127;
    return t->last;
}

static int get_keyword(const char *kw, struct tape *tp)
{
    char word[KWDSLEN + 1];
    int i = 0, ch = tape_get(tp);
    while ((isalnum(ch) || ch == '_') && i < KWDSLEN) {
        word[i] = (char)ch;
        i = i + 1;
        ch = tape_get(tp);
    }
    if (i > KWDSLEN) return 2;
    if (ch < 0) return 3;
    word[i] = '\0';
    tp->words++;
    if (strcmp(kw, word) == 0) {
        if (i == 0) return 4;
        tp->matched++;
        return 0;
    }
    return 1;
}

static int geometry(struct tape *tp)
{
    if (get_keyword("ARRAY", tp) != 0) return 1;
    if (get_keyword("RECT", tp) != 0) return 2;
    if (get_keyword("EXC", tp) != 0) return 3;
    if (get_keyword("PATT", tp) != 0) return 4;
    if (get_keyword("BAND", tp) != 0) return 5;
    if (get_keyword("WIND", tp) != 0) return 6;
    if (get_keyword("TRIA", tp) != 0) return 7;
    if (get_keyword("AMPL", tp) != 0) return 8;
    if (get_keyword("PORT", tp) != 0) return 9;
    if (get_keyword("COPOL", tp) != 0) return 10;
    if (get_keyword("LOSS", tp) != 0) return 11;
    if (get_keyword("ARRAY", tp) != 0) return 12;
    if (get_keyword("RECT", tp) != 0) return 13;
    if (get_keyword("EXC", tp) != 0) return 14;
    if (get_keyword("THETA", tp) != 0) return 15;
    if (get_keyword("FREQ", tp) != 0) return 16;
    if (get_keyword("SCAN", tp) != 0) return 17;
    if (get_keyword("HEXA", tp) != 0) return 18;
    if (get_keyword("AMPL", tp) != 0) return 19;
    if (get_keyword("PORT", tp) != 0) return 20;
    if (get_keyword("COPOL", tp) != 0) return 21;
    if (get_keyword("TAPER", tp) != 0) return 22;
    if (get_keyword("GRID", tp) != 0) return 23;
    if (get_keyword("STEP", tp) != 0) return 24;
    if (get_keyword("ELEM", tp) != 0) return 25;
    if (get_keyword("THETA", tp) != 0) return 26;
    if (get_keyword("FREQ", tp) != 0) return 27;
    if (get_keyword("SCAN", tp) != 0) return 28;
    if (get_keyword("POLAR", tp) != 0) return 29;
    if (get_keyword("UNIF", tp) != 0) return 30;
    if (tp->matched != 30) return -1;
    return 0;
}

static int elements(struct tape *tp)
{
    if (get_keyword("FEED", tp) != 0) return 31;
    if (get_keyword("XPOL", tp) != 0) return 32;
    if (get_keyword("TAPER", tp) != 0) return 33;
    if (get_keyword("GRID", tp) != 0) return 34;
    if (get_keyword("STEP", tp) != 0) return 35;
    if (get_keyword("NODE", tp) != 0) return 36;
    if (get_keyword("PHI", tp) != 0) return 37;
    if (get_keyword("GAIN", tp) != 0) return 38;
    if (get_keyword("ROT", tp) != 0) return 39;
    if (get_keyword("POLAR", tp) != 0) return 40;
    if (get_keyword("UNIF", tp) != 0) return 41;
    if (get_keyword("FEED", tp) != 0) return 42;
    if (get_keyword("BAND", tp) != 0) return 43;
    if (get_keyword("WIND", tp) != 0) return 44;
    if (get_keyword("TRIA", tp) != 0) return 45;
    if (get_keyword("PHASE", tp) != 0) return 46;
    if (get_keyword("NODE", tp) != 0) return 47;
    if (get_keyword("PHI", tp) != 0) return 48;
    if (get_keyword("GAIN", tp) != 0) return 49;
    if (get_keyword("ARRAY", tp) != 0) return 50;
    if (get_keyword("RECT", tp) != 0) return 51;
    if (get_keyword("EXC", tp) != 0) return 52;
    if (get_keyword("PATT", tp) != 0) return 53;
    if (get_keyword("BAND", tp) != 0) return 54;
    if (get_keyword("WIND", tp) != 0) return 55;
    if (get_keyword("TRIA", tp) != 0) return 56;
    if (get_keyword("AMPL", tp) != 0) return 57;
    if (get_keyword("PORT", tp) != 0) return 58;
    if (get_keyword("COPOL", tp) != 0) return 59;
    if (get_keyword("LOSS", tp) != 0) return 60;
    if (tp->matched != 60) return -1;
    return 0;
}

static int excitation(struct tape *tp)
{
    if (get_keyword("ARRAY", tp) != 0) return 61;
    if (get_keyword("RECT", tp) != 0) return 62;
    if (get_keyword("EXC", tp) != 0) return 63;
    if (get_keyword("THETA", tp) != 0) return 64;
    if (get_keyword("FREQ", tp) != 0) return 65;
    if (get_keyword("SCAN", tp) != 0) return 66;
    if (get_keyword("HEXA", tp) != 0) return 67;
    if (get_keyword("AMPL", tp) != 0) return 68;
    if (get_keyword("PORT", tp) != 0) return 69;
    if (get_keyword("COPOL", tp) != 0) return 70;
    if (get_keyword("TAPER", tp) != 0) return 71;
    if (get_keyword("GRID", tp) != 0) return 72;
    if (get_keyword("STEP", tp) != 0) return 73;
    if (get_keyword("ELEM", tp) != 0) return 74;
    if (get_keyword("THETA", tp) != 0) return 75;
    if (get_keyword("FREQ", tp) != 0) return 76;
    if (get_keyword("SCAN", tp) != 0) return 77;
    if (get_keyword("POLAR", tp) != 0) return 78;
    if (get_keyword("UNIF", tp) != 0) return 79;
    if (get_keyword("FEED", tp) != 0) return 80;
    if (get_keyword("XPOL", tp) != 0) return 81;
    if (get_keyword("TAPER", tp) != 0) return 82;
    if (get_keyword("GRID", tp) != 0) return 83;
    if (get_keyword("STEP", tp) != 0) return 84;
    if (get_keyword("NODE", tp) != 0) return 85;
    if (get_keyword("PHI", tp) != 0) return 86;
    if (get_keyword("GAIN", tp) != 0) return 87;
    if (get_keyword("ROT", tp) != 0) return 88;
    if (get_keyword("POLAR", tp) != 0) return 89;
    if (get_keyword("UNIF", tp) != 0) return 90;
    if (tp->matched != 90) return -1;
    return 0;
}

static int patterns(struct tape *tp)
{
    if (get_keyword("FEED", tp) != 0) return 91;
    if (get_keyword("BAND", tp) != 0) return 92;
    if (get_keyword("WIND", tp) != 0) return 93;
    if (get_keyword("TRIA", tp) != 0) return 94;
    if (get_keyword("PHASE", tp) != 0) return 95;
    if (get_keyword("NODE", tp) != 0) return 96;
    if (get_keyword("PHI", tp) != 0) return 97;
    if (get_keyword("GAIN", tp) != 0) return 98;
    if (get_keyword("ARRAY", tp) != 0) return 99;
    if (get_keyword("RECT", tp) != 0) return 100;
    if (get_keyword("EXC", tp) != 0) return 101;
    if (get_keyword("PATT", tp) != 0) return 102;
    if (get_keyword("BAND", tp) != 0) return 103;
    if (get_keyword("WIND", tp) != 0) return 104;
    if (get_keyword("TRIA", tp) != 0) return 105;
    if (get_keyword("AMPL", tp) != 0) return 106;
    if (get_keyword("PORT", tp) != 0) return 107;
    if (tp->matched != 107) return -1;
    return 0;
}

int main(void)
{
    struct tape tape = {0, 0, 0};
    int result = geometry(&tape);
    if (result < 0) return 200;
    if (result > 0) return result;
    result = elements(&tape);
    if (result < 0) return 200;
    if (result > 0) return result;
    result = excitation(&tape);
    if (result < 0) return 200;
    if (result > 0) return result;
    result = patterns(&tape);
    if (result < 0) return 200;
    if (result > 107) return 201;
    if (result > 0) return result;
    if (tape.matched != 107) return 202;
    if (tape.words < tape.matched) return 203;
    if (tape.last > 127) return 204;
    return 0;
}
