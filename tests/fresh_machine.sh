#!/bin/sh
# Proves the README: both commands, twice, on a bare Debian 12 made by debootstrap
# that has git, make and nothing else. Tests the last commit, not the working tree.
#
#   sudo tests/fresh_machine.sh [FOLDER [TARGET...]]
#
# FOLDER (default: a temporary one) will hold the root file system and is
# removed at the end unless it was named. Downloads several hundred megabytes.
# TARGET...: make these instead, one after the other.
set -eu
project=$(cd "$(dirname "$0")/.." && pwd)
. "$project/host_tools/setup/debian_archive.sh"
fail() { echo "fresh_machine: $*" >&2; exit 1; }

[ "$(id -u)" -eq 0 ] || fail "needs root, for debootstrap and chroot: sudo $0"
command -v debootstrap >/dev/null ||
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends debootstrap
archive=$(debian_archive)
[ -n "$archive" ] || fail "found no Debian 12 (bookworm) in this machine's apt lists: apt-get update"

if [ $# -ge 1 ]; then
    fresh=$1
    shift
    keep=yes
    [ ! -e "$fresh" ] || fail "$fresh exists; name a folder that does not"
    mkdir -p "$fresh"
else
    fresh=$(mktemp -d)
    keep=no
fi
# A chroot starts under the umask of mktemp: others must be able to enter.
chmod 755 "$fresh"

clean_up() {
    umount "$fresh/dev" "$fresh/proc" 2>/dev/null || true
    # Never remove what is still mounted.
    if [ $keep = no ] && ! grep -q " $fresh/" /proc/mounts; then
        rm -rf "$fresh"
    fi
}
trap clean_up EXIT

echo "fresh_machine: bare Debian 12 in $fresh"
debootstrap --variant=minbase --include=git,make bookworm "$fresh" "$archive" >"$fresh.log" 2>&1 ||
    { tail -n 20 "$fresh.log"; fail "debootstrap failed, see $fresh.log"; }
rm -f "$fresh.log"
mount --bind /dev "$fresh/dev"
mount -t proc proc "$fresh/proc"

# The way to the network is this machine's, as it would be on a real one.
for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/pip.conf; do
    if [ -f "$file" ]; then
        mkdir -p "$fresh$(dirname "$file")"
        cp "$file" "$fresh$file"
    fi
done
# Where Debian's own authorities, once installed, look for this machine's.
if [ -d /usr/local/share/ca-certificates ]; then
    mkdir -p "$fresh/usr/local/share"
    cp -r /usr/local/share/ca-certificates "$fresh/usr/local/share/"
fi
git clone -q "$project" "$fresh/taut"

run() {
    started=$(date +%s)
    # CI and proxies: whatever this machine needs to reach its registries.
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        $(env | grep -iE '^(PIP_|npm_config_|https?_proxy=|no_proxy=)[^ ]*$' || true) \
        chroot "$fresh" make -C /taut "$@"
    echo "fresh_machine: make $* took $(($(date +%s) - started)) s"
}
[ $# -gt 0 ] || set -- test demo test demo
for target; do
    run "$target"
done
