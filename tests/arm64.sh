#!/bin/sh
# arm64.sh FOLDER PACKAGE...: unpacks Debian's arm64 packages, and what they depend on, into a folder:
# what a cross compiler links with and an emulator loads. This system stays as it is: apt-get keeps
# its lists and its packages in that folder too, for the time being.
set -eu
folder=$1 new=$1.new
shift
rm -rf "$folder" "$new"
mkdir -p "$new/apt/lists/partial" "$new/apt/archives/partial"
: > "$new/apt/status"
get() {
    apt-get -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= \
        -o Debug::NoLocking=1 -o Dir::State::status="$new/apt/status" \
        -o Dir::State::lists="$new/apt/lists" -o Dir::Cache="$new/apt" "$@" > "$new/apt/said" 2>&1 || {
        cat "$new/apt/said" >&2
        echo "arm64: apt-get can't bring the packages: $packages" >&2
        exit 1
    }
}
packages=$*
get update
get install --no-install-recommends --download-only "$@"
for package in "$new"/apt/archives/*.deb; do
    dpkg-deb -x "$package" "$new"
done
rm -rf "$new/apt"

# Links lead to other places in it; what only an installation puts in place, the BLAS, is put there.
libraries=$new/usr/lib/aarch64-linux-gnu
for file in "$libraries"/openblas-pthread/lib* "$libraries"/openblas-pthread/pkgconfig/*; do
    ln -s "/${file#"$new"/}" "$libraries/$(case $file in */pkgconfig/*) echo pkgconfig ;; esac)"
done
find "$new" -type l -lname '/*' | while read -r link; do
    ln -sfn "$folder$(readlink "$link")" "$link"
done
mv "$new" "$folder"
