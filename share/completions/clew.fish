# Fish completion for clew.

function __clew_functions
    set -l files (string match -r '.*\.[chi]$' -- (commandline -opc))
    test -n "$files"; and sed -nE 's/^([A-Za-z_][A-Za-z0-9_ *]*[ *])?([A-Za-z_][A-Za-z0-9_]*) *\(.*/\2/p' $files 2>/dev/null | sort -u
end

function __clew_sources
    __fish_complete_suffix .c .i .h .bc .ll
    __fish_complete_suffix compile_commands.json
end

set -l commands test replay check explain inspect run explore summary
complete -c clew -f
complete -c clew -n "not __fish_seen_subcommand_from $commands" -a test -d 'Generate tests'
complete -c clew -n "not __fish_seen_subcommand_from $commands" -a replay -d 'Run the tests of a campaign natively'
complete -c clew -n "not __fish_seen_subcommand_from $commands" -a check -d 'Check the proofs of a campaign again'
complete -c clew -n "not __fish_seen_subcommand_from $commands" -a explain -d 'Say why a branch is covered, open or infeasible'
complete -c clew -n "not __fish_seen_subcommand_from $commands" -a inspect -d 'Show what a verifier has assumed and verified'
complete -c clew -n "not __fish_seen_subcommand_from $commands" -a run -d 'Execute main, with every check on'
complete -c clew -n "not __fish_seen_subcommand_from $commands" -a explore -d 'Search only, and print what is found'
complete -c clew -n "not __fish_seen_subcommand_from $commands" -a summary -d 'Print what is known of a function'
complete -c clew -n "not __fish_seen_subcommand_from $commands" -l version -d 'Show the version'
complete -c clew -l help -d 'Show the help'

set -l program '__fish_seen_subcommand_from test run explore'
complete -c clew -n $program -a '(__clew_sources)'
complete -c clew -n $program -l cflags -x -d 'More flags of the compiler'
complete -c clew -n $program -l memory -x -d 'What the program may allocate, in MiB'
complete -c clew -n $program -l stats -d 'Print what it cost'
complete -c clew -n '__fish_seen_subcommand_from test run explore replay' -l verbose -d 'Print the commands that are run'
complete -c clew -n '__fish_seen_subcommand_from test run explore replay' -l time -x -d 'Seconds for everything'

set -l search '__fish_seen_subcommand_from test explore'
complete -c clew -n $search -l function -x -a '(__clew_functions)' -d 'Test this function'
complete -c clew -n $search -l max-runs -x -d 'At most so many runs of each function'
complete -c clew -n $search -l work -x -d 'Budget in counted work, about a millisecond a unit'
complete -c clew -n $search -l patience -x -d 'Give up after so many runs that bring nothing new'
complete -c clew -n $search -l seed -x -d 'Of everything random'
complete -c clew -n $search -l search -x -a 'auto rarest dfs bfs random generational cfg summaries' -d 'Which path to take next'
complete -c clew -n $search -l first-bug -d 'Stop a search at its first bug'
complete -c clew -n $search -l stdin -x -d 'Up to so many bytes of standard input'
complete -c clew -n $search -l argv -x -d 'K,N: up to K arguments of up to N characters'
complete -c clew -n $search -l file -r -F -d 'NAME:N: a file of up to N bytes'
complete -c clew -n $search -l env -x -a '(set -nx)' -d 'NAME:N: a variable of up to N characters'
complete -c clew -n $search -l concrete -x -a '(__clew_functions)' -d 'Only run this function'
complete -c clew -n $search -l config -r -F -d 'Lines concrete NAME, partition NAME CONDITION'
complete -c clew -n $search -l solver-effort -x -d 'Work that one question may take'
complete -c clew -n $search -l tiers -x -a 'slice cache bounds local descent blast z3 mixed' -d 'Parts of the solver'
complete -c clew -n $search -l revisit -d 'Go on also in states seen before'
complete -c clew -n $search -l no-summaries -d 'Execute functions at every call'
complete -c clew -n $search -l summaries -d 'Summarise functions even where all paths are less work'
complete -c clew -n $search -l log-queries -r -F -d 'Write the questions to the solver there'

set -l test '__fish_seen_subcommand_from test'
complete -c clew -n $test -l out -x -a '(__fish_complete_directories)' -d 'Where tests and ledger go'
complete -c clew -n $test -l format -x -a 'c cmocka testcomp ktest corpus' -d 'Of the tests'
complete -c clew -n $test -l jobs -x -d 'Searches at a time'
complete -c clew -n $test -l target -r -F -d 'FILE:LINE: stop when it is reached'
complete -c clew -n $test -l target-function -x -a '(__clew_functions)' -d 'Stop when it is reached'
complete -c clew -n $test -l resume -d 'Go on where an earlier command was stopped'
complete -c clew -n $test -l no-replay -d 'Do not run the tests natively'
complete -c clew -n $test -l array -x -d 'P:N: P is NULL or points to N elements'
complete -c clew -n $test -l string -x -d 'P:N: P is NULL or a string of up to N characters'
complete -c clew -n $test -l nonnull -x -d 'P is not NULL'
complete -c clew -n $test -l assume -x -d 'An expression in C over the parameters'
complete -c clew -n '__fish_seen_subcommand_from test inspect' -l from-analysis -d 'What Clew itself verifies counts as results of a verifier'
complete -c clew -n '__fish_seen_subcommand_from test inspect' -l verified -r -d 'Results of a verifier'
complete -c clew -n $test -l guide -x -a 'none partial may must both' -d 'What verification results in the source do'

set -l native '__fish_seen_subcommand_from test replay'
complete -c clew -n $native -l cc -x -a 'gcc clang cc' -d 'Compiler for the native runs'
complete -c clew -n $native -l quiet -d 'Print bugs only'
complete -c clew -n $native -l json -d 'Print the ledger'
complete -c clew -n '__fish_seen_subcommand_from replay check explain summary' -a '(__fish_complete_directories)'

complete -c clew -n '__fish_seen_subcommand_from explore' -l paths -d 'Print every run'
complete -c clew -n '__fish_seen_subcommand_from explore' -l show-summaries -d 'Print what functions do'
complete -c clew -n '__fish_seen_subcommand_from run explore' -l in-process -d 'No child process'

set -l run '__fish_seen_subcommand_from run'
complete -c clew -n $run -l env -x -d 'NAME=VALUE: of the environment'
complete -c clew -n $run -l clock -x -d 'Seconds since 1970 at which its clock stands'
complete -c clew -n $run -l rand-seed -x -d 'What rand() starts from'
complete -c clew -n $run -l dump -d 'Print the program as Clew sees it'
complete -c clew -n $run -l reference -d 'Use the reference interpreter only'
