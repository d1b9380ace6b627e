# Bash completion for clew.

# Files (-f) or directories (-d).
_clew_paths()
{
    local IFS=$'\n'
    compopt -o filenames
    COMPREPLY=($(compgen "$1" -- "$2"))
}

# The program under test: sources, headers, bitcode, compilation databases, and directories on the way to them.
_clew_sources()
{
    compopt -o filenames
    local IFS=$'\n'
    COMPREPLY=($(compgen -d -- "$1"; compgen -f -- "$1" | grep -E '(\.(c|i|h|bc|ll)|compile_commands\.json)$'))
}

# Functions that look like definitions in the files named so far: the name before the first parenthesis of a line that is not indented.
_clew_functions()
{
    local word files=()
    for word in "${COMP_WORDS[@]:2}"; do
        [[ $word == *.[chi] && -r $word ]] && files+=("$word")
    done
    ((${#files[@]})) || return 0
    COMPREPLY=($(compgen -W "$(sed -nE 's/^([A-Za-z_][A-Za-z0-9_ *]*[ *])?([A-Za-z_][A-Za-z0-9_]*) *\(.*/\2/p' "${files[@]}" | sort -u)" -- "$1"))
}

# A value for the option before the cursor.  Fails if that option takes none.
_clew_value()
{
    local current=$1 option=$2 command=$3 IFS=$' \t\n'
    case $option in
        --search) COMPREPLY=($(compgen -W 'auto rarest dfs bfs random generational cfg summaries' -- "$current")) ;;
        --format) COMPREPLY=($(compgen -W 'c cmocka testcomp ktest corpus' -- "$current")) ;;
        --tiers)
            local done=
            [[ $current == *,* ]] && done=${current%,*},
            compopt -o nospace
            COMPREPLY=($(compgen -P "$done" -W 'slice cache bounds local descent blast z3 mixed' -- "${current##*,}"))
            ;;
        --function | --target-function | --concrete) _clew_functions "$current" ;;
        --out) _clew_paths -d "$current" ;;
        --config | --log-queries | --file | --target)
            compopt -o nospace
            _clew_paths -f "$current"
            ;;
        --cc) COMPREPLY=($(compgen -c -- "$current" | grep -E '^(([a-z0-9_]+-)*(gcc|clang)(-[0-9.]+)?|cc)$' | sort -u)) ;;
        --env)
            compopt -o nospace
            if [[ $command == run ]]; then COMPREPLY=($(compgen -v -S = -- "$current"))
            else COMPREPLY=($(compgen -e -S : -- "$current")); fi
            ;;
        --time | --work | --patience | --max-runs | --jobs | --seed | --stdin | --argv | --array | --string | --nonnull | --assume | --memory | --solver-effort | \
            --clock | --rand-seed | --cflags) COMPREPLY=() ;;
        *) return 1 ;;
    esac
}

_clew_options()
{
    local search='--function --time --work --patience --max-runs --seed --search --first-bug --stdin --argv --file --env --concrete --config --no-summaries --summaries --revisit --memory
        --solver-effort --tiers --log-queries --stats --cflags --verbose --help'
    case $1 in
        test) echo "$search --out --format --jobs --target --target-function --resume --no-replay --cc --quiet --json --array --string --nonnull
            --assume --guide --verified --from-analysis --alarms" ;;
        inspect) echo '--json --verified --from-analysis --cflags --verbose --help' ;;
        explore) echo "$search --paths --show-summaries --in-process" ;;
        run) echo '--time --memory --env --clock --rand-seed --stats --dump --reference --in-process --cflags --verbose --help' ;;
        replay) echo '--time --cc --quiet --json --verbose --help' ;;
        check) echo '--solver --help' ;;
        explain) echo '--json --help' ;;
        summary) echo '--help' ;;
    esac
}

_clew()
{
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} i
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W 'test replay check explain inspect run explore summary --help --version' -- "$current"))
        return
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do # the program's own arguments
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            _clew_paths -f "$current"
            return
        fi
    done
    _clew_value "$current" "$before" "$command" && return
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$(_clew_options "$command")" -- "$current"))
    elif [[ $command == replay || $command == check || ($command == summary || $command == explain) && $COMP_CWORD == 2 ]]; then
        _clew_paths -d "$current"
    elif [[ $command != summary && $command != check ]]; then
        _clew_sources "$current"
    fi
}

complete -F _clew clew
