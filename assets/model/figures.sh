#!/bin/sh
# figures.sh HEADLIGHT CORPUS [heads|words|pairs]: the lines of the model card's tables, computed anew
# on a corpus in the CoNLL-U format; all of them, or only what heads do, what the model says at masked
# words, or which sentence follows another.
set -eu
export LC_ALL=C
program=$1 corpus=$2
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
run() { "$program" --no-config "$@"; }
filter() { run run "$1" --threads 1 --limit 1 2>/dev/null || [ $? = 3 ]; }
table='function told(x, digits) { x = sprintf("%." digits "f", x); sub(/^0/, "", x); return x }
function count(n) { return n < 1000 ? n : count(int(n / 1000)) sprintf(",%03d", n % 1000) }'

# The best head of each figure; and of each relation of 100 pairs or more that it finds more often than
# the best fixed offset would, beyond the interval.
heads() {
    run survey "$corpus" -o "$folder/survey" --csv "$folder/csv"
    awk -F, "$table"'
        { of = $4 }
        $1 == "guessed" { offset[of] = $5; guessed[of] = $6 }
        ($1 == "relation" || $1 == "figure" && of ~ /^(previous|next|same)$/) && (!(of in most) || $6 > most[of]) {
            most[of] = $6; n[of] = $9; low[of] = $7; half[of] = ($8 - $7) / 2; known[of] = $5
            at[of] = $2 "." $3 ($5 == "" ? "" : $5 == "head" ? " ←" : " →") }
        END {
            for (i = split("previous next same", figures, " "); i > 0; i--) { of = figures[4 - i]
                print "| " of " | " at[of] " | " told(most[of], 3) " ±" told(half[of], 3) " of " count(n[of]) " |" }
            fflush()
            for (of in most) if (known[of] != "" && n[of] >= 100 && low[of] > guessed[of])
                printf "%f\t| %s | %s | %s ±%s of %s | %s (%+d) |\n", most[of] - guessed[of], of, at[of],
                    told(most[of], 2), told(half[of], 2), count(n[of]), told(guessed[of], 2),
                    offset[of] | "sort -rn | cut -f 2"
        }' "$folder/csv"
}

# Each word by itself is masked, and the likeliest is asked for; those that are no single piece can't be.
words() {
    tr -d '\r' <"$corpus" | awk -F '\t' '
        function ask(at, i) {
            printf "{\"words\":["
            for (i = 1; i <= n; i++) printf "%s\"%s\"", (i > 1 ? "," : ""), (i == at ? "[MASK]" : word[i])
            print "],\"answer\":\"" word[at] "\"}" }
        function ask_all(i) { for (i = 1; i <= n; i++) if (!mark[i]) ask(i); n = 0 }
        /^[0-9]+\t/ { gsub(/[\\"]/, "\\\\&", $2); word[++n] = $2; mark[n] = $4 ~ /^(PUNCT|SYM)$/ }
        /^$/ { ask_all() }
        END { ask_all() }' >"$folder/words.jsonl"
    filter "$folder/words.jsonl" | awk "$table"'
        /"asked":/ { asked++; right += /"asked":{[^}]*"rank":1}/ }
        END { printf "| masked words | %s of %s |\n", told(right / asked, 3), count(asked) }'
}

# Each sentence with the next one of its document, and with one of another document, some 500 further
# on. Of a corpus that doesn't tell documents, none.
pairs() {
    tr -d '\r' <"$corpus" | awk '
        /^# newdoc/ { document++ }
        sub(/^# text = /, "") { gsub(/\t/, " "); text[++n] = $0; of[n] = document }
        END {
            for (i = 1; i < n; i++) if (document > 1 && of[i] == of[i + 1]) {
                for (j = (i + 499) % n + 1; of[j] == of[i]; ) j = j % n + 1
                print text[i] "\t" text[i + 1] "\n" text[i] "\t" text[j] } }' >"$folder/pairs.txt"
    filter "$folder/pairs.txt" | awk "$table"'
        match($0, /"follows":[0-9.e-]+/) {
            said = substr($0, RSTART + 10, RLENGTH - 10) > .5; n++; right += said == NR % 2 }
        END { if (n) printf "| next sentence | %s of %s |\n", told(right / n, 3), count(n) }'
}

for part in ${3:-heads words pairs}; do $part; done
