#!/usr/bin/env bash
# parallel.sh HEADLIGHT: shards of a survey under GNU parallel, one of them killed and run again, are
# merged to the bytes of the whole; and the filter gives the same lines in parts as in one run.
set -euo pipefail
headlight=$(realpath "$1") corpus=$(realpath assets/corpus/english.conllu)
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
cd "$folder"
survey() { "$headlight" --no-config survey "$corpus" "$@"; }
export -f survey; export headlight corpus

survey -o whole.survey

# The first run of shard 2 is killed, which leaves no survey.
shard() {
    if [ "$1" = 2 ] && mkdir killed 2>/dev/null; then
        survey --shard 2/4 -o 2.survey & sleep 0.05; kill -9 $!; wait $!
        return 1
    fi
    survey --shard "$1/4" -o "$1.survey" --keep
}
export -f shard
parallel -j2 --joblog log --retries 2 shard ::: 0 1 2 3
[ -d killed ]
parallel -j2 --joblog log --resume-failed shard ::: 0 1 2 3
"$headlight" merge 2.survey 0.survey -o some.survey 2>said || [ $? = 3 ]
grep -q 'lacks 2 of 4 shards: 1, 3' said
"$headlight" merge 3.survey some.survey 1.survey -o merged.survey
cmp merged.survey whole.survey

# Lines in order, whoever computes them; a block has lines of its own.
seq 40 | sed 's/.*/{"id":"t&","a":"the cat has & lives"}/' >lines.jsonl
filter="$headlight --no-config --threads 1 run -"
same() { sed 's/"line":[0-9]*,//'; }
$filter <lines.jsonl | same >expected
parallel -j2 -k --pipepart -a lines.jsonl --block 300 "$filter" | same | cmp - expected
parallel -j2 -k --pipe --block 300 "$filter" <lines.jsonl | same | cmp - expected
echo "shards and lines are the same in parts as in one run"
