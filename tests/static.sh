#!/bin/sh
# static.sh BUILD MAKE: builds the static program, and opens every view of it by keys in a root that
# holds nothing else: no terminfo, no locales, no libraries.
set -eu
skip() {
    echo "skipped: the static program, as $*"
    exit 0
}
[ "$(id -u)" = 0 ] || skip "only root may chroot"
for need in musl-gcc dpkg-source apt-get; do
    command -v $need > /dev/null || skip "there is no $need"
done
$2 --no-print-directory static
root=$(mktemp -d)
trap 'rm -rf "$root" "$root.sh"' EXIT
cp "$1/static/headlight" "$root"
printf '#!/bin/sh\nexec chroot "%s" /headlight "$@"\n' "$root" > "$root.sh"
chmod +x "$root.sh"
$2 --no-print-directory started="$root.sh" SUITES=app_views run-tests
