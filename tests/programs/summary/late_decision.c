/* clew explore --summaries
 * seeds: 8
 * branches: 26 of 26
 * complete: yes
 *
 * Nothing is decided in `cost` before something was loaded, so that it is summarised late: its calls on the same path stay what they were,
 * wherever the path is executed from. */
#include <clew.h>

enum { STEPS = 5 };

static int is_step(char key)
{
    if (key == 'w') return 1;
    return 0;
}

static int next_gate(int gate, char key, int load)
{
    if (key == 'x') return 0;
    if (key == 'o') return 1;
    if (key == 's') return load > 9 ? 2 : 0;
    return gate;
}

static int next_load(int load, int gate, char key)
{
    if (gate != 1) return load;
    return key == '+' ? 10 : load;
}

static int cost(int step, int load)
{
    if (!step) return 0;
    return load > 5 ? 3 : 1;
}

int main(void)
{
    char keys[STEPS];
    int load = 0, spent = 0, gate = 0;
    clew_make_symbolic(keys, sizeof keys, "keys");
    for (int i = 0; i < STEPS; i++) {
        int step = is_step(keys[i]);
        if (step && gate) return 1;
        spent += cost(step, load);
        load = next_load(load, gate, keys[i]);
        gate = next_gate(gate, keys[i], load);
    }
    return gate == 2 ? spent + 2 : 0;
}
