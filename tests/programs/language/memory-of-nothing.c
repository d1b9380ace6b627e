/* clew run
 * exit: 0
 */
/* Old code copies no bytes from and to NULL.  Every library lets it. */
extern void *memcpy(void *, void *, unsigned);
extern void *memmove(void *, void *, int);
extern void *memset(void *, int, unsigned short);
extern int memcmp(void *, void *, unsigned);

int main(void)
{
    void *volatile nothing = 0;
    if (memcpy(nothing, nothing, 0) || memmove(nothing, nothing, 0) || memset(nothing, 1, 0)) return 1;
    return memcmp(nothing, nothing, 0);
}
