#ifndef SHARED_H
#define SHARED_H

struct shape {
    int width, height;
};
struct named {
    const char *name;
    int value;
};

extern int shared_counter;
extern const struct named table[];
extern int (*callback)(void);

void bump(int by);
int area(struct shape s);
int other_helper(void);
int call_back(void);

#endif
