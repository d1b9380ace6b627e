/* clew test
 * branches: 46 of 48
 * infeasible: 48 false
 * infeasible: 58 false
 * covered: at least 28
 *
 * A game of tic-tac-toe between the inputs and a player with simple rules: win, else block, else the first free square.
 * The game has at most nine moves. What makes it hard is that the game is won only against the blocking player's rules. */
extern unsigned char __VERIFIER_nondet_uchar(void);

static char board[9];
static const unsigned char lines[8][3] = {
    { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7, 8 }, { 0, 3, 6 }, { 1, 4, 7 }, { 2, 5, 8 }, { 0, 4, 8 }, { 2, 4, 6 },
};

static int has_won(char player)
{
    for (int i = 0; i < 8; i++) {
        int count = 0;
        for (int k = 0; k < 3; k++) {
            if (board[lines[i][k]] == player) count++;
        }
        if (count == 3) return 1;
    }
    return 0;
}

/* The free square of a line that has two of the player, or -1. */
static int completes(char player)
{
    for (int i = 0; i < 8; i++) {
        int count = 0, empty = -1;
        for (int k = 0; k < 3; k++) {
            unsigned char square = lines[i][k];
            if (board[square] == player) count++;
            else if (board[square] == 0) empty = square;
        }
        if (count == 2 && empty >= 0) return empty;
    }
    return -1;
}

static void answer(void)
{
    int square = completes('O');
    if (square < 0) square = completes('X');
    /* The player answers only up to move 6, so a square is free. */
    for (int i = 0; square < 0 && i < 9; i++) {
        if (board[i] == 0) square = i;
    }
    board[square] = 'O';
}

int main(void)
{
    int fouls = 0;
    /* The loop is left by break or return in move 8 at the latest. */
    for (int move = 0; move < 9; move += 2) {
        unsigned char square = __VERIFIER_nondet_uchar();
        while (square > 8 || board[square] != 0) {
            if (++fouls == 3) return 4;
            square = __VERIFIER_nondet_uchar();
        }
        board[square] = 'X';
        if (has_won('X')) return 1;
        if (move == 8) break;
        answer();
        if (has_won('O')) return 2;
    }
    if (board[4] == 'X' && board[0] == 'X' && fouls == 2) return 3;
    return 0;
}
