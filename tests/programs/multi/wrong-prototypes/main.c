/* clew run
 * exit: 0
 * note: wide is called with other types than it is defined with (argument 1 is an integer of 32 bits, its parameter is an integer of 64 bits)
 * note: narrow is called with other types than it is defined with (argument 1 is an integer of 64 bits, its parameter is an integer of 32 bits)
 * note: from_char is called with other types than it is defined with (argument 1 is an integer of 8 bits, its parameter is an integer of 32 bits)
 * note: from_short is called with other types than it is defined with (argument 1 is an integer of 16 bits, its parameter is an integer of 64 bits)
 * note: swapped is called with other types than it is defined with (argument 1 is a double, its parameter is an integer of 32 bits)
 * note: low_half is called with other types than it is defined with (argument 1 is a double, its parameter is a float)
 * note: widened_result is called with other types than it is defined with (the caller expects an integer of 64 bits, the function returns an integer of 32 bits)
 * note: cut_result is called with other types than it is defined with (the caller expects an integer of 8 bits, the function returns an integer of 32 bits)
 * note: too_many is called with other types than it is defined with (3 arguments for 2 parameters)
 * note: low_of_pointer is called with other types than it is defined with (argument 1 is a pointer, its parameter is an integer of 32 bits)
 * note: spilled is called with other types than it is defined with (argument 3 is a double, its parameter is an integer of 32 bits)
 * note: memset is called with other types
 * note: strlen is called with other types
 * note: by_pointer is called with other types
 */
/* Prototypes that disagree with the definitions in other.c, in the ways that old code has.  Everything that is printed is decided by the
 * calling convention, so the native program prints the same. */
extern int printf(const char *, ...);
long wide(int), narrow(long);
int from_char(signed char);
long from_short(unsigned short);
int swapped(double, int);
int low_half(double);
long widened_result(void);
char cut_result(void);
int too_many(int, int, int);
int low_of_pointer(const char *);
int spilled(int, int, double, int, double, int, int, int, int, int);
void nothing(int), *memset(void *, char, unsigned);
int strlen(char *);
int variable(const char *format, int, long);

static int by_pointer(unsigned char a, int b)
{
    return a * 100 + b;
}

int main(void)
{
    char buffer[8];
    int (*pointer)(int, long) = (int (*)(int, long))by_pointer;
    printf("%ld %ld\n", wide(-1), narrow(0x500000007));
    printf("%d %ld\n", from_char(-3), from_short(0xfffe));
    printf("%d %d\n", swapped(2.5, 7), low_half(1.1));
    printf("%ld %d\n", widened_result(), cut_result());
    printf("%d\n", too_many(1, 2, 3));
    printf("%d\n", low_of_pointer((const char *)0x1234500000042));
    printf("%d\n", spilled(1, 2, 0.5, 3, 0.25, 4, 5, 6, 7, 8));
    nothing(5);
    memset(buffer, 'a', 7);
    buffer[7] = 0;
    printf("%s %d\n", buffer, strlen(buffer));
    printf("%d\n", pointer(0x101, 0x300000002));
    printf("%d\n", variable("il", 40, 2));
    return 0;
}
