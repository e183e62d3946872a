# bash completion for headlight, from bash 3.2 on. The program is asked for what may stand there: a
# word a line, what it means behind a tab; ".csv" is an ending of files, "." any, "/" a folder, and
# "," begins a list.
_headlight() {
    local typed=$2 before=$3 program=$1 prefix= first= joined= word help file endings i=1
    COMPREPLY=()
    case $program in '~/'*) program=$HOME/${program#??} ;; esac
    while ((i < COMP_CWORD)); do
        [ "${COMP_WORDS[i]}" != -- ] || return 0
        ((i += 1))
    done
    [ "$COMP_CWORD" -lt 2 ] || first=${COMP_WORDS[1]}
    if [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]} joined=yes
    elif [ "${COMP_WORDS[COMP_CWORD]}" = = ]; then
        joined=yes
    else
        case $typed in
            --*=*) before=${typed%%=*} prefix=$before= typed=${typed#*=} joined=yes ;;
        esac
    fi
    while IFS=$'\t' read -r word help; do
        case $word in
            ,)
                case $typed in *,*) prefix=$prefix${typed%,*}, typed=${typed##*,} ;; esac
                type compopt &> /dev/null && compopt -o nospace ;;
            . | / | .*) endings="$endings $word" ;;
            "$typed"*) COMPREPLY+=("$prefix$word") ;;
        esac
    done <<< "$(command "$program" __complete "$first" "$before" "$typed" 2> /dev/null < /dev/null)"
    [ -n "$endings" ] || return 0
    type compopt &> /dev/null && compopt -o filenames
    # The shell itself expands no ~ behind an =.
    case $joined$typed in 'yes~/'*) typed=$HOME/${typed#??} ;; esac
    while IFS= read -r file; do
        [ -z "$file" ] || COMPREPLY+=("$prefix$file")
    done <<< "$(compgen -d -- "$typed"
        for word in $endings; do
            case $word in
                /) ;;
                .) compgen -f -- "$typed" ;;
                *) compgen -f -X "!*$word" -- "$typed" ;;
            esac
        done)"
}

if type compopt &> /dev/null; then
    complete -F _headlight headlight
else
    complete -o filenames -F _headlight headlight
fi
