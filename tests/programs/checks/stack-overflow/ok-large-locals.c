/* clew run
 * exit: 0
 */
#include <string.h>

static int fill(char value)
{
    char room[3 << 20];
    memset(room, value, sizeof room);
    return room[12345] + room[(3 << 20) - 1];
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 20; i++) sum += fill(1);
    return sum - 40;
}
