/* clew run -- x
 * exit: 9
 * stdout: x 2 hello 5 9\n
 */
/* C as it was written before 1989, without any flag that asks for it: no declarations, no types, functions defined in K&R style. */
count;
char *text;

main(argc, argv)
    char **argv;
{
    text = malloc(6);
    strcpy(text, "hello");
    printf("%s %d %s %d %d\n", argv[1], argc, text, length(text), added(4, 5));
    free(text);
    return argc == 2 ? added(4, 5) : 1;
}

length(s)
    char *s;
{
    return strlen(s);
}

added(a, b)
{
    return a + b;
}
