#!/bin/sh
# needs.sh: which targets install a missing package, and which only name it. In a PATH where
# pkg-config doesn't know cJSON, and apt-get writes down how it is called and fails.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
calls=$folder/calls

stub() {
    { echo '#!/bin/sh'; cat; } > "$folder/$1"
    chmod +x "$folder/$1"
}
stub sudo <<'END'
exec "$@"
END
stub apt-get <<END
echo "apt-get \$*" >> "$calls"
exit 1
END
stub pkg-config <<END
case "\$*" in *--exists*libcjson*) exit 1 ;; esac
PATH=\${PATH#*:} exec pkg-config "\$@"
END

# try TARGET [VARIABLE=VALUE]: what make says is in said, what apt-get was asked in calls.
try() {
    : > "$calls"
    if env -u MAKEFLAGS -u MAKELEVEL -u NO_INSTALL PATH="$folder:$PATH" \
        make BUILD="$folder/build" "$@" > "$folder/said" 2>&1; then
        fail "$1" "it went on"
    fi
}
fail() {
    echo "make $1 without cJSON: $2" >&2
    cat "$folder/said" "$calls" >&2
    exit 1
}
names() {
    [ ! -s "$calls" ] || fail "$1" "expected that nothing is installed"
    grep -q 'Install them with: .*apt-get install .*libcjson-dev' "$folder/said" ||
        fail "$1" "expected the command that installs it"
}

for target in all install pictures bench golden; do
    try "$target"
    names "$target"
done
try all INSTALL=ginstall # a packager's variable, which asks for nothing
names all
for target in run check check-fast check-plain install-dependencies asan lint warnings portable valgrind coverage fuzz soak; do
    try "$target"
    grep -q '^apt-get install -y .*libcjson-dev' "$calls" || fail "$target" "expected that it is installed"
    try "$target" NO_INSTALL=1
    names "$target"
done
echo "missing packages: named by make, installed by make run and make check"
