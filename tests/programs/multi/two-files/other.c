#include "shared.h"

static int hidden = 20;
const struct named table[] = {{"zero", 0}, {"one", 1}};
int (*callback)(void);

static int helper(void)
{
    return hidden;
}

void bump(int by)
{
    shared_counter += by * table[1].value;
}

int area(struct shape s)
{
    return s.width * s.height;
}

int other_helper(void)
{
    return helper();
}

int call_back(void)
{
    return callback() + helper();
}
