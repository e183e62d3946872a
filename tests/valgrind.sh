#!/bin/sh
# valgrind.sh PROGRAM: all that the program does without a keyboard, under memcheck: what is read
# before it is written, reads and writes out of bounds, memory that is lost. A finding ends the
# program with 99; else it must end as it does without memcheck: 0 done, 1 failed, 2 wrong usage.
set -u
program=$1
model=tests/vectors/tiny-bert
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0 runs=0

# ends STATUS ARGUMENT...
ends() {
    wanted=$1
    shift
    LC_ALL=C.UTF-8 valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,possible \
        --errors-for-leak-kinds=definite,possible --suppressions=tests/valgrind.supp \
        "$program" "$@" <"$folder/in" >"$folder/out" 2>"$folder/err"
    found=$?
    runs=$((runs + 1))
    [ "$found" = "$wanted" ] && return
    echo "headlight $*: expected it to end with $wanted, found $found" >&2
    cat "$folder/err" >&2
    bad=1
}

echo "time flies like an arrow" >"$folder/in"
ends 0 --help
ends 0 keys
ends 0 --version

# The built-in model, from its place in the program.
ends 0 "a word"
ends 0 --view model --snapshot "$folder/model.svg" --size 60x20 a

# Every export at once, with the network changed or not.
ends 0 --model $model --json "$folder/a.json" --include all --csv "$folder/a.csv" \
    --trace "$folder/a.safetensors" --snapshot "$folder/a.txt" "a cat" "the mat"
ends 0 --model $model --causal --unscaled --off 0.1 --json "$folder/b.json" \
    --hide cat --cut 0.1.2.2,1.0.3.1 --temperature 2 --uniform 0.0 --sinusoidal --no-segments \
    --snapshot "$folder/b.ansi" --whole-words --special rescaled --mean layers "the cat sat"
ends 0 --model $model --threads 2 --csv - -

# Every view and every picture.
ends 0 --model $model --snapshot "$folder/head.svg" --numbers --list "a cat"
ends 0 --model $model --view neuron --select 1 --list --set bands=values --snapshot "$folder/n.svg" "a cat"
ends 0 --model $model --view model --metric entropy --sort --set thumbnails=lines \
    --snapshot "$folder/m.svg" "a cat" "the mat"
ends 0 --model $model --view matrix --filter ab --snapshot "$folder/x.svg" --ascii "a cat" "the mat"
ends 0 --model $model --color mono --snapshot "$folder/r.ansi" --size 80x24 \
    --type 'Down Enter Down r Esc e Ctrl-U "mat" Enter / "m" Enter z Z m d ?' "the cat"

# Recordings, and states written, read and refused.
ends 0 "$folder/a.safetensors" --view neuron --snapshot "$folder/o.svg" --json "$folder/o.json"
ends 0 --model $model --state "$folder/state" --layer 1 --whole-words --snapshot "$folder/s.txt" "a cat"
ends 0 --state "$folder/state" --snapshot "$folder/t.txt"
echo '{"layer": ' >"$folder/bad.json"
ends 1 --state "$folder/bad.json" --snapshot "$folder/t.txt"

# What is refused.
head -c 3000 $model/model.safetensors >"$folder/half.safetensors"
ends 2 --nonsense
ends 2 --layer -1 a
ends 1 --model "$folder" a
ends 1 "$folder/half.safetensors"
ends 1 "$folder/a.json"
ends 2 --model $model --select nowhere --snapshot "$folder/t.txt" a
ends 1 --csv "$folder/none/a.csv" a
printf 'a\377\300b \355\240\200 \360' >"$folder/in" # is no UTF-8, and is read all the same
ends 0 --model $model --csv "$folder/noise.csv" -
printf 'a\nb\nc\n' >"$folder/in"
ends 2 --model $model -

[ $bad = 0 ] && echo "valgrind: fine, $runs runs"
exit $bad
