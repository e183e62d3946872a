#!/bin/sh
# fresh.sh: README's two commands, as written, in a clone on a Debian that has git, make, gcc and libc6-dev
# and nothing else: what a build or a test needs besides must be on the Makefile's lists. What is cloned
# is the last commit. The system is a folder that is entered with chroot, so only root can make it.
set -eu
skip() {
    echo "skipped: $*"
    exit 0
}
[ "$(id -u)" = 0 ] || skip "only root can make a fresh Debian"
command -v debootstrap > /dev/null || skip "debootstrap is not installed"
unshare --mount true 2> /dev/null || skip "no mounts of one's own are allowed here"
# Mounts that end with this process, whatever becomes of it.
[ -n "${FRESH_MOUNTS:-}" ] || exec env FRESH_MOUNTS=own unshare --mount sh "$0"

folder=$(mktemp -d /var/tmp/headlight.XXXXXX)
root=$folder/root
finish() {
    for mount in dev/pts dev/shm proc; do umount -l "$root/$mount" 2> /dev/null || :; done
    rm -rf --one-file-system "$folder"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

debian=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
debootstrap --variant=minbase --include=git,make,gcc,libc6-dev "$debian" "$root" > "$folder/log" 2>&1 || {
    tail -n 20 "$folder/log" >&2
    exit 1
}
mount -t proc proc "$root/proc"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
ln -sf pts/ptmx "$root/dev/ptmx"
git clone -q . "$root/headlight"

# Nothing of this machine's environment but the way to the packages.
inside() {
    echo "exec chroot '$root' env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=xterm-256color" \
        "${JOBS:+JOBS='$JOBS'} ${http_proxy:+http_proxy='$http_proxy'} ${https_proxy:+https_proxy='$https_proxy'} sh -c '$*'"
}

# `make run` opens the program on a terminal; q leaves it.
mkfifo "$folder/keys"
: > "$folder/screen"
script -qefc "$(inside 'stty rows 24 cols 80 && cd /headlight && make run')" "$folder/screen" \
    < "$folder/keys" > /dev/null &
exec 3> "$folder/keys"
until grep -q quit "$folder/screen" || ! kill -0 $! 2> /dev/null; do sleep 0.2; done
printf q >&3
wait $! || {
    tail -n 20 "$folder/screen" >&2
    echo "make run fails on a fresh Debian $debian" >&2
    exit 1
}
exec 3>&-

sh -c "$(inside 'cd /headlight && make check')" || {
    echo "make check fails on a fresh Debian $debian" >&2
    exit 1
}
