/* clew test
 * branches: 44 of 44
 * covered: at least 27
 *
 * A decoder for Morse code from a key that is read 80 times: lengths of presses and gaps decide between dots, dashes, letters and words.
 * The loop ends after 80 readings. What makes it hard is that one letter needs many readings of the same kind in a row. */
#include <string.h>
extern _Bool __VERIFIER_nondet_bool(void);

enum { DOT = 2, DASH = 5, LETTER_GAP = 4, WORD_GAP = 8 };

static char message[8];
static int length, symbol = 1, errors;

static char decode(void)
{
    /* A symbol is a 1 followed by one bit for each element, 0 for a dot and 1 for a dash. */
    switch (symbol) {
    case 2: return 'E';
    case 3: return 'T';
    case 5: return 'A';
    case 6: return 'N';
    case 7: return 'M';
    case 8: return 'S';
    case 15: return 'O';
    default: return '?';
    }
}

static void end_letter(void)
{
    if (symbol == 1) return;
    char letter = decode();
    if (letter == '?') errors++;
    else if (length < 7) message[length++] = letter;
    symbol = 1;
}

static void released(int turns)
{
    if (turns < DOT) {
        errors++;
        return;
    }
    symbol = symbol * 2 + (turns >= DASH);
    if (symbol >= 64) {
        errors++;
        symbol = 1;
    }
}

int main(void)
{
    _Bool last = 0;
    int turns = 0;
    for (int i = 0; i < 80; i++) {
        _Bool down = __VERIFIER_nondet_bool();
        if (down == last) {
            turns++;
            if (!down && turns == LETTER_GAP) end_letter();
            if (!down && turns == WORD_GAP && length > 0 && length < 7) message[length++] = ' ';
            continue;
        }
        if (last) released(turns);
        last = down;
        turns = 1;
    }
    if (errors > 8) return 3;
    if (strcmp(message, "SOS") == 0) return 1;
    if (strncmp(message, "TE", 2) == 0 && errors == 0) return 2;
    return 0;
}
