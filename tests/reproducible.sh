#!/bin/sh
# reproducible.sh BUILD NAME: whether the source NAME.tar.gz in BUILD, unpacked in another folder and
# built without git, gives the tarball and the program that BUILD has, byte for byte.
set -eu
build=$1 name=$2 bad=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
there=$folder/$name/$build

tar -xzf "$build/$name.tar.gz" -C "$folder"
mkdir "$folder/bin"
printf '#!/bin/sh\necho "git $*" >> "%s/git-calls"\nexit 1\n' "$folder" > "$folder/bin/git"
chmod +x "$folder/bin/git"
if ! (unset MAKELEVEL
      PATH="$folder/bin:$PATH" make -C "$folder/$name" NO_INSTALL=1 all dist) > "$folder/log" 2>&1; then
    tail -n 20 "$folder/log"
    echo "$name.tar.gz: expected to build elsewhere as it does here; it does not"
    exit 1
fi

same() { # WHAT HERE THERE
    cmp "$2" "$3" && return
    echo "$1: expected the same bytes from another folder, found others"
    bad=1
}
same "the tarball" "$build/$name.tar.gz" "$there/$name.tar.gz"
same "the program" "$build/headlight" "$there/headlight"
! [ -s "$folder/git-calls" ] || { echo "expected no call of git, found:"; cat "$folder/git-calls"; bad=1; }
[ $bad = 0 ] && echo "reproducible: $name.tar.gz gives the same bytes in another folder"
exit $bad
