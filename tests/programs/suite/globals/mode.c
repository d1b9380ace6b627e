/* clew test
 * branches: 6 of 6
 * complete: yes
 * tests: at most 10
 *
 * Globals are inputs of the functions that read them, and outputs of those that write them. */
enum mode { OFF, HEATING, COOLING, DEFECT };

enum mode mode;
int target;

int regulate(int temperature)
{
    switch (mode) {
    case OFF: return 0;
    case HEATING:
        if (temperature >= target) mode = OFF;
        return 1;
    case COOLING: return 2;
    default: return -1;
    }
}
