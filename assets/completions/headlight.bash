# bash completion for headlight, from bash 3.2 on. Kept by hand; check_app_completion holds it to the
# program's options and their values.

# In all of these: $typed is to be completed, $prefix stands before it in the same word.
_headlight_offer() {
    local word
    for word; do
        case $word in "$typed"*) COMPREPLY+=("$prefix$word") ;; esac
    done
}

_headlight_offer_lines() {
    local line
    while IFS= read -r line; do
        [ -z "$line" ] || _headlight_offer "$line"
    done
}

# The names that stand between commas.
_headlight_offer_list() {
    case $typed in *,*) prefix=$prefix${typed%,*}, typed=${typed##*,} ;; esac
    type compopt &> /dev/null && compopt -o nospace
    _headlight_offer "$@"
}

# Folders, and files that end so. The shell itself expands no ~ behind an =.
_headlight_offer_files() {
    local ending
    type compopt &> /dev/null && compopt -o filenames
    case $joined$typed in 'yes~/'*) typed=$HOME/${typed#??} ;; esac
    while IFS= read -r file; do
        [ -z "$file" ] || COMPREPLY+=("$prefix$file")
    done <<< "$(compgen -d -- "$typed"
        for ending; do compgen -f -X "!*$ending" -- "$typed"; done)"
}

# What the program on the command line, $1, prints for an option, cut to names that mean nothing to
# a shell, and of a name with an owner to the part behind it, too.
_headlight_ask() {
    local program=$1
    case $program in '~/'*) program=$HOME/${program#??} ;; esac
    _headlight_offer_lines <<< "$(command "$program" "$2" 2> /dev/null < /dev/null |
        LC_ALL=C sed -n "h;s/^\([A-Za-z0-9_][A-Za-z0-9._/-]*\)  $3\$/\1/p
            g;s/^[A-Za-z0-9_][A-Za-z0-9._-]*\/\([A-Za-z0-9_][A-Za-z0-9._-]*\)  $3\$/\1/p")"
}

_headlight_offer_models() {
    _headlight_ask "$1" models '.* layers .* heads, hidden [0-9]*'
    _headlight_offer_files
}

_headlight_offer_lessons() {
    _headlight_ask "$1" lessons ' *[0-9][0-9]* min  .*'
    _headlight_offer_files .md
}

_headlight() {
    local typed=$2 option=$3 prefix= joined= file i=1
    COMPREPLY=()
    while ((i < COMP_CWORD)); do
        [ "${COMP_WORDS[i]}" != -- ] || return 0
        ((i += 1))
    done
    if [ "$option" = = ]; then
        option=${COMP_WORDS[COMP_CWORD - 2]} joined=yes
    elif [ "${COMP_WORDS[COMP_CWORD]}" = = ]; then
        joined=yes
    else
        case $typed in
            --*=*) option=${typed%%=*} prefix=$option= typed=${typed#*=} joined=yes ;;
        esac
    fi
    case $option in
        --model | --against) _headlight_offer built-in; _headlight_offer_models "$1" ;;
        --site) _headlight_offer encoder decoder cross ;;
        --family) _headlight_offer bert distilbert roberta xlm-roberta electra albert mpnet modernbert deberta-v2 gpt2 nomic_bert camembert data2vec-text luke ernie bert-generation dpr ;;
        --lesson) _headlight_offer_lessons "$1" ;;
        --view) _headlight_offer head neuron model matrix answers steps compare corpus ;;
        --special) _headlight_offer shown hidden rescaled ;;
        --filter) _headlight_offer all aa ab ba bb ;;
        --mean) _headlight_offer none heads layers ;;
        --shade) _headlight_offer weight root row ;;
        --map) _headlight_offer weights scores norms rollout similarity plain difference ;;
        --answers) _headlight_offer first classes tags span words replaced sentence ;;
        --metric) _headlight_offer none label entropy previous next self first separators same distance maximum effect moved ;;
        --corpus) _headlight_offer heads sorted scatter relations ;;
        --corpus-figure) _headlight_offer does previous next self first separators entropy distance maximum same induction broad effect moved ;;
        --corpus-axis) _headlight_offer previous next self first separators entropy distance maximum same induction broad effect moved ;;
        --without) _headlight_offer none hidden masked removed ;;
        --thumbnails) _headlight_offer heat lines ;;
        --theme) _headlight_offer dark light contrast mono print ;;
        --state) _headlight_offer_files .json ;;
        --output | -o) _headlight_offer_files .survey .index .jsonl ;;
        --snapshot) _headlight_offer_files .txt .ansi .svg ;;
        --format) _headlight_offer txt ansi svg ;;
        --record) _headlight_offer_files .cast ;;
        --csv) _headlight_offer_files .csv ;;
        --json) _headlight_offer_files .json ;;
        --include) _headlight_offer_list weights scores query key value hidden all lens effects metrics maps words ;;
        --trace) _headlight_offer_files .safetensors ;;
        --page) _headlight_offer_files .html ;;
        --config) _headlight_offer_files '' ;;
        --color) _headlight_offer direct 256 16 mono ;;
        --lines) _headlight_offer auto pixels blocks braille ;;
        --step | --layer | --heads | --head | --threshold | --select | --attended | --find | --mask | \
            --temperature | --hide | --cut | --off | --uniform | --type | --size | --width | --font-size | --font | \
            --ask | --top | --threads | --columns | --sample | --seed | --shard | --stride | --only | --like | --set) : ;;
        *)
            # A sentence is anybody's own.
            [ -z "$joined" ] || return 0
            case $typed in
                -*) _headlight_offer \
                    --model --family --against --site --lesson --step --view --layer --special --words --filter \
                    --heads --head --mean --threshold --shade --numbers --map --list --metric --corpus \
                    --corpus-figure --corpus-axis --without --sort --answers --thumbnails --select --attended \
                    --find --rank --theme --present --no-special --mask --unscaled --temperature --causal --hide \
                    --cut --off --uniform --no-positions --sinusoidal --no-segments --columns --sample --seed \
                    --shard --truncate --stride --strict --effects --keep --only --like --output -o --type --record \
                    --state --set --snapshot --format --size --bare --width --font-size --font --csv --json --include \
                    --ask --top --trace --page --color --ascii --lines --no-mouse --threads --config --no-config \
                    --help -h --version -V ;;
                *)
                    [ "$COMP_CWORD" != 1 ] || _headlight_offer run survey merge index find models lessons keys schema help
                    _headlight_offer_files .txt .jsonl .csv .tsv .conllu .survey .index .safetensors .json ;;
            esac ;;
    esac
}

if type compopt &> /dev/null; then
    complete -F _headlight headlight
else
    complete -o filenames -F _headlight headlight
fi
