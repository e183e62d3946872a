#!/bin/sh
# hardening.sh PROGRAM: whether it is what the flags in the Makefile ask for, and calls no network.
set -u
program=$1 bad=0
holds() { # OPTION PATTERN WHAT
    readelf "$1" -W "$program" | grep -Eq "$2" && return
    echo "$program: expected $3, found none (readelf $1)"
    bad=1
}
holds -h 'Type: +DYN' 'a position-independent program'
holds -l 'GNU_RELRO' 'a part that is read-only after relocation'
holds -d 'BIND_NOW|FLAGS_1.*NOW' 'all symbols bound at the start'
holds --dyn-syms '__stack_chk_fail' 'the stack protector'
holds --dyn-syms '__[a-z]+_chk' 'fortified calls'
if readelf --dyn-syms -W "$program" | grep -E ' UND (socket|connect|getaddrinfo)(@|$)'; then
    echo "$program: expected no call of the network, found these"
    bad=1
fi
[ $bad = 0 ] && echo "hardening: fine in $program"
exit $bad
