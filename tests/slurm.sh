#!/usr/bin/env bash
# slurm.sh HEADLIGHT: the documentation's array of jobs under Slurm. One task is killed and queued again;
# the merge that waits for all of them gives the bytes of the whole. It is a Slurm of this machine alone,
# without root, and with all its files in a folder of its own.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch; do
    command -v $program >/dev/null || { echo "skipped: slurm is not installed"; exit 0; }
done
headlight=$(realpath "$1") page=$(realpath assets/docs/corpora.md)
corpus=$(realpath assets/corpus/english.conllu) folder=$(mktemp -d) port=$((20000 + $$ % 20000))
wait_for() {
    for ((i = 0; i < 900; i++)); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done
    echo "not in time: $*" >&2; tail -n 5 ./*.log ./*.txt ./*.out >&2; exit 1
}
is_empty() { [ -z "$(squeue --noheader)" ]; }
stop() {
    scancel --quiet --user="$(id -un)" && wait_for is_empty || :
    for daemon in $(jobs -p); do kill "$daemon" 2>/dev/null || :; done
    wait; rm -rf "$folder"
}
trap stop EXIT
chmod 755 "$folder"; cd "$folder" # others than root run munged, which wants its folder open
mkdir state spool bin; ln -s "$headlight" bin/headlight; ln -s "$corpus" english.conllu
export PATH=$folder/bin:$PATH XDG_CONFIG_HOME=$folder SLURM_CONF=$folder/slurm.conf

# Credentials that expire soon: what is queued again waits for that. A job a processor, no cgroups.
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=localhost
SlurmctldAddr=127.0.0.1
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmdSpoolDir=$folder/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
KillWait=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
NodeName=n0 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=2
PartitionName=all Nodes=n0 Default=YES State=UP
END
(umask 077; head -c 128 /dev/urandom >munge.key)
munged --foreground --socket="$folder/munge.socket" --key-file="$folder/munge.key" \
    --pid-file="$folder/munged.pid" --seed-file="$folder/munged.seed" >munged.log 2>&1 &
wait_for test -S munge.socket
slurmctld -D >slurmctld.log 2>&1 &
slurmd -D -N n0 >slurmd.log 2>&1 &
is_idle() { sinfo --noheader --states=idle | grep n0; }
wait_for is_idle

# The page's script, of a corpus that takes long enough for a task to be killed.
sed -n '/^#!\/bin\/sh/,/^```/p' "$page" | sed '$d' | sed "s,wiki.txt,$folder/english.conllu --sample 60 --effects,
    s,0-63,0-3,; s,/64,/4,; s,cpus-per-task=4,cpus-per-task=1," >survey.sbatch
array=$(sbatch --parsable survey.sbatch)
submit=$(grep '^sbatch --dependency' "$page"); eval "${submit/JOB/$array}"
running() { task=$(pgrep -f "$folder/english.conllu .* --shard 0/4"); }
wait_for running; kill -9 "$task"
wait_for test -s wiki.survey
scontrol show job "${array}_0" | grep -q 'Restarts=1'
headlight --no-config survey english.conllu --sample 60 --effects -o whole.survey
cmp wiki.survey whole.survey
echo "an array of jobs gives the bytes of the whole, one task queued again, in $SECONDS s"
