#!/bin/sh
# install.sh: what `make install` puts where, whether it works there, and that `make uninstall` takes
# exactly that away again.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "install: $*" >&2
    exit 1
}
make="env -u MAKEFLAGS -u MAKELEVEL make NO_INSTALL=1 PREFIX=/usr"

for root in "$folder/root" "$folder/with a blank"; do
    mkdir -p "$root/usr/share/man/man1"
    echo other > "$root/usr/share/man/man1/other.1"
    $make DESTDIR="$root" install > "$folder/said" || fail "$(cat "$folder/said")"
    for file in bin/headlight share/man/man1/headlight.1 \
        share/bash-completion/completions/headlight share/zsh/site-functions/_headlight \
        share/fish/vendor_completions.d/headlight.fish share/doc/headlight/README.md \
        share/doc/headlight/LICENSE share/doc/headlight/assets/head.svg \
        share/doc/headlight/assets/docs/keys.md share/doc/headlight/assets/options share/doc/headlight/assets/model/README.md; do
        [ -s "$root/usr/$file" ] || fail "expected $file, found none"
    done
    (cd / && "$root/usr/bin/headlight" "a word" | grep -q word) || fail "the program doesn't run from elsewhere"
    $make DESTDIR="$root" uninstall > "$folder/said" || fail "$(cat "$folder/said")"
    left=$(cd "$root" && find . -type f)
    [ ! -e "$root/usr/share/doc/headlight" ] || fail "expected no share/doc/headlight any more, found it"
    [ "$left" = ./usr/share/man/man1/other.1 ] || fail "expected that other.1 alone is left, found: $left"
done

# Neither reader of manual pages has anything to complain about.
page=build/made/headlight.1
complaints=$(mandoc -Tlint -Wwarning "$page" 2>&1; groff -mdoc -ww -z -Tutf8 "$page" 2>&1) || :
[ -z "$complaints" ] || fail "$complaints"
echo "installed, used and uninstalled: fine"
