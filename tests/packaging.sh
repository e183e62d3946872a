#!/bin/bash
# packaging.sh BUILD VERSION: whether the package files that were filled in below BUILD name this version
# and, neither more nor less, what the Makefile's rows of needs name. The rows are read here anew.
set -eu
build=$1 version=$2 bad=0
name=headlight-$version
debian=$build/deb/$name/debian
folder=$build/packaging

# rows LIST COLUMN: 1 apt, 2 dnf, 3 pacman, 4 brew.
rows() {
    sed -n "/^$1 :=/,/[^\\\\]\$/p" Makefile | sed 's/\$(if[^,]*, *//; s/)//g' |
        awk -F '[ \t:]+' -v column="$2" 'NF > 5 || /openblas/ { print $(2 + column) }' | grep -v '^-$'
}
says() { # FILE WHAT EXPECTED FOUND
    [ "$3" = "$4" ] && return
    printf '%s: expected %s "%s", found "%s"\n' "$1" "$2" "$3" "$4"
    bad=1
}
# Sorted, in one line.
set_of() { tr ', \t' '\n\n\n' | grep . | sort -u | tr '\n' ' '; }

for file in "$debian"/{control,changelog,copyright} "$folder"/{headlight.spec,PKGBUILD,headlight.rb}; do
    says "$file" "of what is filled in to be left" "" "$(grep -o '@[A-Z0-9_]*@' "$file" | head -n 1)"
done

says control "the build dependencies" "$( (rows NEEDS_BUILD 1; rows NEEDS_TEST 1) | set_of)" \
    "$(sed -n 's/^Build-Depends: debhelper-compat (= 13),//p' "$debian/control" | sed 's/ *<!nocheck>//g' | set_of)"
says control "dependencies of the tests alone" "$(rows NEEDS_TEST 1 | set_of)" \
    "$(sed -n 's/^Build-Depends: //p' "$debian/control" | tr ',' '\n' | sed -n 's/ <!nocheck>$//p' | set_of)"
says changelog "the version" "headlight ($version-1)" "$(sed -n '1s/) .*/)/p' "$debian/changelog")"

says headlight.spec "the version" "$version" "$(sed -n 's/^Version: *//p' "$folder/headlight.spec")"
says headlight.spec "the build dependencies" "$( (echo gcc make; rows NEEDS_BUILD 2; rows NEEDS_TEST 2) | set_of)" \
    "$(sed -n 's/^BuildRequires: *//p' "$folder/headlight.spec" | set_of)"

arch() { (. "$folder/PKGBUILD"; eval "echo $1"); }
says PKGBUILD "the version" "$version" "$(arch '$pkgver')"
says PKGBUILD "the dependencies" "$( (echo glibc; rows NEEDS_BUILD 3) | set_of)" \
    "$(arch '${depends[*]} ${makedepends[*]}' | set_of)"
says PKGBUILD "the dependencies of the tests" "$(rows NEEDS_TEST 3 | set_of)" "$(arch '${checkdepends[*]}' | set_of)"
says headlight.rb "the dependencies" "$(rows NEEDS_BUILD 4 | set_of)" \
    "$(sed -n 's/^ *depends_on "\([^"]*\)".*/\1/p' "$folder/headlight.rb" | set_of)"
says headlight.rb "the version" "$name.tar.gz" "$(sed -n 's/^ *url ".*\/\(.*\)"/\1/p' "$folder/headlight.rb")"

sum=$(sha256sum < "$folder/$name.tar.gz" | cut -d ' ' -f 1)
says PKGBUILD "the tarball's sum" "$sum" "$(arch '${sha256sums[*]}')"
says headlight.rb "the tarball's sum" "$sum" "$(sed -n 's/^ *sha256 "\(.*\)"/\1/p' "$folder/headlight.rb")"

[ $bad = 0 ] && echo "packaging: version $version and its dependencies are the Makefile's in every file"
exit $bad
