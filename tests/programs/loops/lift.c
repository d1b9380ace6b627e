/* clew test
 * branches: 15 of 15
 *
 * State in a struct: twenty floors up, then the door opens. */
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    struct {
        int floor, open;
    } lift = {0, 0};
    for (;;) {
        switch (__VERIFIER_nondet_uchar()) {
        case 'u':
            if (!lift.open) lift.floor++;
            break;
        case 'd':
            if (!lift.open && lift.floor > 0) lift.floor--;
            break;
        case 'o': lift.open = !lift.open; break;
        case 'q': return 0;
        default: break;
        }
        if (lift.floor == 20 && lift.open) return 1;
    }
}
