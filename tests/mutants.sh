#!/bin/sh
# mutants.sh: would the tests notice a mistake? Changes one operator or constant of base, tensor, text, model
# or lens at a time (mutants.awk lists what can be changed), links the test runner with it, and runs the fast
# suites of its room until one fails. A mutant that none notices survives and is listed, unless the compiler
# makes the same code of it, or mutants.list says why it behaves the same. One that takes ten times as long as
# the sources as they are is dead as well. `make mutants` sets what is used here:
#   BUILD            where the runner is built
#   COMPILED         the command that compiles, to which "-o OBJECT SOURCE" is added
#   LINKED, LINKED_OBJECTS, LINKED_LIBRARIES   the parts of the one that links the runner
#   COUNT, SEED      how many mutants, and which; ONLY: an extended pattern of those to be tried of them
#                    ("src/text/", "bpe.c", "0066c487")
#   JOBS             how many at once
set -u
export LC_ALL=C
folder=$BUILD/tried
tab=$(printf '\t')
# What loops may fill the disk, or the memory, and is then the first to be killed.
ulimit -f 200000
{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null

# run_suite RUNNER SUITE SECONDS FORK: its fast tests, but all where calls fail
run_suite() {
    excluded=slow
    [ "${2#*_}" = faults ] && excluded=
    HEADLIGHT_PROGRAM=$BUILD/headlight HEADLIGHT_ACTUAL=$folder CK_EXCLUDE_TAGS=$excluded \
        CK_TIMEOUT_MULTIPLIER=10 CK_FORK=$4 timeout -k 5 "$3" "$1" "$2" >"$1.log" 2>&1
}

# How long each suite takes as the sources are: lines of "seconds fork suite" in $folder/ROOM.suites. Where
# its tests can do with one process, that takes a fraction of the time.
time_suites() {
    [ "$folder/$1.suites" -nt "$BUILD/tests/runner" ] && return
    for suite in $(ls tests/check_"$1"_*.c | sed 's,.*/check_,,; s,\.c$,,'); do
        for fork in no yes failed; do
            began=$(date +%s)
            run_suite "$BUILD/tests/runner" "$suite" 600 $fork && break
        done
        [ $fork = failed ] && { cat "$BUILD/tests/runner.log" >&2; return 1; }
        echo "$(($(date +%s) - began)) $fork $suite"
    done >"$folder/new" && mv "$folder/new" "$folder/$1.suites"
}

# The suites in which a mutant of a file dies soonest: those whose names begin as the file's does, then the
# shortest.
suites_for() {
    awk -v file="${1##*/}" '{
        name = substr($3, index($3, "_") + 1)
        for (n = 0; n < length(name) && substr(name, n + 1, 1) == substr(file, n + 1, 1); n++);
        print n < 4 && n < length(name) ? 0 : -n, $0
    }' "$folder/$2.suites" | sort -n -k 1,1 -k 2,2 | cut -d ' ' -f 2-
}

# compile_units OPTION…: the objects of what lies below $mine
compile_units() {
    for unit in $units; do
        eval "$COMPILED $*" -o "$mine/$unit.o" "$mine/src/$room/$unit.c" 2>"$mine/compiler.log" || return 1
    done
}

# Whether the optimiser makes the same of both: then no test can tell them apart. Both are compiled under
# the same names.
is_same_code() {
    compile_units -O2 -g0 || return 1
    for unit in $units; do mv "$mine/$unit.o" "$mine/$unit.mutant"; done
    cp "$file" "$mine/$file"
    compile_units -O2 -g0 || return 1
    for unit in $units; do cmp -s "$mine/$unit.o" "$mine/$unit.mutant" || return 1; done
}

judge() {
    compile_units || { echo "invalid"; return; }
    objects=$LINKED_OBJECTS
    for unit in $units; do
        objects=$(echo " $objects " | sed "s, $BUILD/src/$room/$unit.o , $mine/$unit.o ,")
    done
    $LINKED -o "$mine/runner" $objects $LINKED_LIBRARIES 2>"$mine/compiler.log" || { echo "invalid"; return; }
    suites_for "$file" "$room" >"$mine/suites"
    while read -r seconds fork suite; do
        run_suite "$mine/runner" "$suite" $((10 * (seconds + 1))) "$fork" || { echo "died in $suite"; return; }
    done <"$mine/suites"
    grep -q "^$key" tests/mutants.list && { echo "equivalent"; return; }
    is_same_code && echo "equivalent to the compiler" || echo "survived"
}

# Tries the mutant in a line of the sample, and adds its verdict to the results.
try() {
    IFS=$tab read -r key file line column from to text <<EOF
$(sed -n "$1p" "$folder/chosen")
EOF
    room=$(basename "$(dirname "$file")")
    mine=$folder/$key
    units=$(grep -l "$file" "$BUILD/src/$room"/*.d | sed 's,.*/,,; s,\.d$,,')
    mkdir -p "$mine/src"
    cp -r "src/$room" "$mine/src/"
    from=$from to=$to awk -v line="$line" -v column="$column" 'FNR == line {
        $0 = substr($0, 1, column - 1) ENVIRON["to"] substr($0, column + length(ENVIRON["from"]))
    } { print }' "$file" >"$mine/src/$room/${file##*/}"
    verdict=$(judge)
    printf '%s\t%s\t%s:%s:%s: %s -> %s\t%s\n' "$key" "$verdict" "$file" "$line" "$column" "$from" "$to" "$text" \
        >>"$folder/results"
    rm -rf "$mine"
}

report() {
    awk -F '\t' -v least=85 '{
        split($3, path, "/")
        room = path[2]
        word = $2
        sub(/ .*/, "", word)
        tried[room] += word != "invalid"
        seen[room, word]++
        if (word == "survived")
            print $3 "    [" $1 "]\n    " $4
    } END {
        for (room in tried) {
            died = seen[room, "died"]
            lived = seen[room, "survived"]
            printf "  %-8s %4d mutants: %4d died, %3d survived, %3d equivalent\n", room, tried[room], died, lived, \
                seen[room, "equivalent"]
            all_died += died
            all_lived += lived
        }
        share = 100 * all_died / (all_died + all_lived + 1e-9)
        printf "  %.1f %% of %d died; at least %d %% should\n", share, all_died + all_lived, least
        exit share < least
    }' "$folder/results"
}

[ "${1:-}" = try ] && { try "$2"; exit; }
mkdir -p "$folder"
sources=$(ls src/base/*.c src/tensor/*.[ch] src/text/*.c src/model/*.[ch] src/lens/*.c)
awk -v seed="$SEED" -f tests/mutants.awk $sources | sort | head -n "$COUNT" >"$folder/sample"
grep -E -e "${ONLY:-.}" "$folder/sample" >"$folder/chosen" ||
    { echo "mutants: expected ONLY to match one of the sample, found none for \"$ONLY\"" >&2; exit 1; }
for room in $(cut -f 2 "$folder/chosen" | cut -d / -f 2 | sort -u); do
    time_suites "$room" || exit 1
done
: >"$folder/results"
awk '{ print NR }' "$folder/chosen" | xargs -P "$JOBS" -n 1 sh tests/mutants.sh try
report
