#!/bin/sh
# static.sh FOLDER [HOST]: the five libraries that headlight needs, for a static program, below
# FOLDER, compiled with musl from the sources of Debian's packages, which apt-get fetches and checks.
# HOST (aarch64-linux-gnu) names what they run on where that is another machine: then musl is too.
set -eu
mkdir -p "$1/source/apt/lists/partial" "$1/lib/pkgconfig" "$1/include/cjson" "$1/include/nettle"
folder=$(cd "$1" && pwd) host=${2:-} cc=musl-gcc ar=${2:+$2-}ar
cd "$folder/source"
cat /etc/apt/sources.list.d/*.sources 2> /dev/null | sed 's/^Types: .*/Types: deb-src/' > apt/source.sources
sed -n 's/^deb /deb-src /p' /etc/apt/sources.list > apt/source.list 2> /dev/null || :
get() {
    apt-get -qq -o Dir::Etc::sourcelist=- -o Dir::Etc::sourceparts="$PWD/apt" \
        -o Dir::State::lists="$PWD/apt/lists" -o APT::Sandbox::User=root "$@" > apt/log 2>&1 || { cat apt/log >&2; exit 1; }
}
ls -d cjson-*/ > /dev/null 2>&1 || { get update; get source cjson utf8proc nettle zlib ncurses musl; }
if [ "$host" ]; then
    cc=$folder/bin/musl-gcc
    [ -x "$cc" ] || (cd musl-*/ && ./configure --prefix="$folder" --target="${host%-gnu}-musl" \
        CC="$host-gcc" CROSS_COMPILE="$host-" --disable-shared --enable-wrapper=gcc && make install) > log 2>&1 || { tail log >&2; exit 1; }
fi

library() { # NAME OPTION... -- FILE...: lib/libNAME.a
    name=$1 options=; shift
    while [ "$1" != -- ]; do options="$options $1"; shift; done; shift
    for file in "$@"; do $cc -O2 -ffile-prefix-map="$PWD=." $options -c "$file" -o "../$name-$(basename "$file" .c).o"; done
    $ar rcsD "$folder/lib/lib$name.a" ../"$name"-*.o
}
library cjson -- cjson-*/cJSON.c
library utf8proc -DUTF8PROC_STATIC -- utf8proc-*/utf8proc.c
library nettle -- nettle-*/sha256.c nettle-*/sha256-compress*.c nettle-*/write-be32.c nettle-*/base64-encode.c nettle-*/base64-decode.c
library z -- zlib-*/adler32.c zlib-*/crc32.c zlib-*/deflate.c zlib-*/trees.c zlib-*/zutil.c zlib-*/compress.c
cp cjson-*/cJSON.h "$folder/include/cjson/"
cp nettle-*/base64.h nettle-*/sha2.h nettle-*/nettle-types.h "$folder/include/nettle/"
major=$(ls -d nettle-*/ | sed 's/nettle-\([0-9]*\).*/\1/')
sed "s/@MAJOR_VERSION@/$major/; s/@[A-Z_]*@/0/" nettle-*/version.h.in > "$folder/include/nettle/version.h"
cp utf8proc-*/utf8proc.h zlib-*/zlib.h zlib-*/zconf.h "$folder/include/"

mkdir -p ../ncurses && cd ../ncurses
[ -e lib/libncursesw.a ] || {
    CC="$cc" AR=$ar ../source/ncurses-*/configure -q ${host:+--host=$host --with-build-cc=cc} \
        --prefix=/usr --enable-widec --without-shared --without-debug --without-cxx \
        --without-cxx-binding --without-ada --without-manpages --without-progs --without-tests \
        --without-gpm --disable-db-install --disable-stripping --enable-ext-colors \
        --enable-ext-mouse --with-default-terminfo-dir=/usr/share/terminfo \
        --with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo
    make -C include && make -C ncurses
} > log 2>&1 || { tail log >&2; exit 1; }
cp lib/libncursesw.a "$folder/lib/"
cp include/curses.h include/term.h include/ncurses_dll.h include/unctrl.h "$folder/include/"
for module in ncursesw:ncursesw libcjson:cjson libutf8proc:utf8proc nettle:nettle zlib:z; do
    printf 'Name: %s\nDescription: static\nVersion: 1\nLibs: -L%s/lib -l%s\nCflags: -I%s/include -DUTF8PROC_STATIC\n' \
        "${module%:*}" "$folder" "${module#*:}" "$folder" > "$folder/lib/pkgconfig/${module%:*}.pc"
done
