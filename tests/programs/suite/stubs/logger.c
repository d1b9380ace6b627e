/* clew test
 * branches: 6 of 6
 * complete: yes
 * tests: at most 8
 *
 * Functions without a result, one of them with a variable number of arguments, that are defined nowhere. */
void log_line(const char *format, ...);
void beep(void);

int check_voltage(int millivolts)
{
    if (millivolts < 0) {
        log_line("negative: %d", millivolts);
        return -1;
    }
    if (millivolts > 5000) {
        log_line("%d of %d", millivolts, 5000);
        if (millivolts > 12000) beep();
        return 1;
    }
    return 0;
}
