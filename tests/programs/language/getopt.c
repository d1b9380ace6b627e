/* clew run -- -v -ofile --level=3 -abc --name clew rest -x -- -y
 * exit: 0
 */
#include <getopt.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static const struct option options[] = {{"level", required_argument, 0, 'l'}, {"name", required_argument, 0, 'n'}, {"quiet", no_argument, 0, 'q'}, {0}};
    int c;
    while ((c = getopt_long(argc, argv, "vo:abcxy", options, 0)) != -1) printf("%c=%s ", c, optarg ? optarg : "");
    for (int i = optind; i < argc; i++) printf("[%s]", argv[i]);
    puts("");
    return 0;
}
