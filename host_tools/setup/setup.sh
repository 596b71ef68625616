#!/bin/sh
# Brings what dependencies.txt lists: packages of this Debian by apt, the rest
# unpacked into .deps. Asks nothing; does nothing when everything is there.
#
# TAUT_SETUP=skip  trust the caller to have everything (own packages, other systems)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
list=$here/dependencies.txt
deps=$root/.deps
ready=$deps/ready

. "$here/debian_archive.sh"

say() { echo "setup: $*"; }
fail() { echo "setup: $*" >&2; exit 1; }

[ "${TAUT_SETUP:-}" = skip ] && exit 0
wanted=$(cat "$list" "$0" | sha256sum | cut -d ' ' -f 1)
[ -f "$ready" ] && [ "$(cat "$ready")" = "$wanted" ] && exit 0

rows() { awk -v kind="$1" '$1 == kind' "$list"; }

# Upstream part of an installed package's version, without the epoch; empty if not installed.
installed_version() {
    dpkg-query -W -f '${db:Status-Abbrev} ${Version}\n' "$1" 2>/dev/null |
        sed -n 's/^ii *\([0-9]*:\)\{0,1\}//p'
}

# Sets as_root to the words that put a command in root's hands; false if nothing does.
find_root() {
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    else
        sudo -n true 2>/dev/null && as_root=sudo
    fi
}

install_debian_packages() {
    missing=$(rows debian | while read -r _ name _; do
        [ -n "$(installed_version "$name")" ] || printf ' %s' "$name"
    done
    rows command | while read -r _ name package; do
        command -v "$name" >/dev/null || printf ' %s' "$package"
    done)
    if [ -n "$missing" ]; then
        find_root || fail "may not install packages here. Run this once, then start again:
  sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing"
        say "installing$missing"
        $as_root apt-get update -q
        # $as_root and $missing are lists of words.
        # shellcheck disable=SC2086
        $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -q -y --no-install-recommends $missing
    fi
    rows debian | while read -r _ name version; do
        have=$(installed_version "$name")
        case $have in
        "$version"*) ;;
        *) fail "$name is version $have here, $version* is wanted (Debian 12 has it).
  With your own tools: TAUT_SETUP=skip make ..., see host_tools/setup/README.md" ;;
        esac
    done
}

check_sha256() { # FILE SHA256
    have=$(sha256sum "$1" | cut -d ' ' -f 1)
    [ "$have" = "$2" ] || fail "$(basename "$1") has sha256 $have, $2 is wanted.
  Delete .deps and try again; if it stays, the archive has changed: see $list"
}

# A private apt that knows the next release alone; the system's own stays as it is.
# Where it is comes from where the machine's own release is.
trixie_apt() {
    tool=$1
    shift
    "$tool" -q -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- \
        -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" \
        -o Acquire::Languages=none -o APT::Sandbox::User="$(id -un)" "$@"
}

unpack_trixie_packages() {
    archive=$(debian_archive)
    if [ -z "$archive" ] && find_root; then # apt's lists may be empty still
        $as_root apt-get update -q
        archive=$(debian_archive)
    fi
    [ -n "$archive" ] || fail "found no Debian 12 (bookworm) in this machine's apt lists. Run
  sudo apt-get update
and start again; on another system: TAUT_SETUP=skip, see host_tools/setup/README.md"
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    for kind in deb deb-src; do
        echo "$kind [signed-by=$keys] $archive trixie main"
    done >"$work/sources.list"
    trixie_apt apt-get update
    rows trixie | while read -r _ name version sha256; do
        say "unpacking $name $version"
        (cd "$work" && trixie_apt apt-get download "$name=$version") ||
            fail "$name $version is not in the trixie archive: see $list"
        check_sha256 "$(ls "$work/${name}"_*.deb)" "$sha256"
        dpkg-deb -x "$work/${name}"_*.deb "$deps"
    done
}

unpack_trixie_sources() {
    rows source | while read -r _ name version sha256; do
        say "unpacking the sources of $name $version"
        (cd "$work" && trixie_apt apt-get source --download-only --only-source "$name=$version") ||
            fail "sources of $name $version are not in the trixie archive: see $list"
        archive_file=$(ls "$work/${name}"_*.orig.tar.*)
        check_sha256 "$archive_file" "$sha256"
        # By Python: a bare system's tar cannot read every kind of archive.
        mkdir "$work/$name"
        python3 -m tarfile -e "$archive_file" "$work/$name"
        mv "$work/$name"/* "$deps/$name"
    done
}

unpack_python_sources() {
    rows python | while read -r _ name version sha256; do
        say "unpacking $name $version"
        # Not --require-hashes: that would want hashes of the build tools pip fetches
        # only to read the package's name.
        if ! python3 -m pip download -q --no-deps --no-binary "$name" -d "$work" \
            "$name==$version"; then
            say "WARNING: no registry gives $name $version; the build will do without it."
            return 1
        fi
        check_sha256 "$work/$name-$version.tar.gz" "$sha256"
        mkdir -p "$deps/$name"
        tar -xzf "$work/$name-$version.tar.gz" -C "$deps/$name" --strip-components=1
    done
}

unpack_npm_packages() {
    rows npm | while read -r _ name version sha512; do
        say "unpacking $name $version"
        (cd "$work" && npm pack --silent "$name@$version" >/dev/null) ||
            fail "no registry gives $name $version: see $list"
        archive=$work/$name-$version.tgz
        have=$(python3 -c 'import base64, hashlib, sys
print(base64.b64encode(hashlib.sha512(open(sys.argv[1], "rb").read()).digest()).decode())' "$archive")
        [ "$have" = "$sha512" ] || fail "$name-$version.tgz has sha512 $have, $sha512 is wanted.
  Delete .deps and try again; if it stays, the registry has changed: see $list"
        mkdir -p "$deps/npm/$name"
        tar -xzf "$archive" -C "$deps/npm/$name" --strip-components=1
    done
}

install_wheels() {
    rows wheel | awk '{ print $2 "==" $3 " --hash=sha256:" $4 }' >"$work/wheels.txt"
    [ -s "$work/wheels.txt" ] || return 0
    say "installing $(wc -l <"$work/wheels.txt") wheels into .deps/python"
    if ! python3 -m pip install -q --no-deps --only-binary :all: --require-hashes \
        --disable-pip-version-check --target "$deps/python" -r "$work/wheels.txt"; then
        say "WARNING: no registry gives the wheels of $list; tests that need them are left out."
        return 1
    fi
}

install_debian_packages
rm -rf "$deps"
mkdir -p "$deps"
work=$deps/download
unpack_trixie_packages
unpack_trixie_sources
unpack_npm_packages
if unpack_python_sources && install_wheels; then
    echo "$wanted" >"$ready"
fi
rm -rf "$work"
say "done"
