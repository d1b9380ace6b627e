/* clew test --function level
 * branches: 6 of 6
 * complete: yes
 * tests: at most 8
 *
 * A static function is tested by its name, with a static variable as one of its inputs. */
static int offset;

static int level(int raw)
{
    if (raw < 0 || raw > 1023) return -1;
    int corrected = raw + offset % 100;
    if (corrected > 1000) return 2;
    return 1;
}

int main(void)
{
    offset = 5;
    return level(20);
}
