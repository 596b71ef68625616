#!/bin/sh
# Runs an image on an emulated board and judges it: passed only with exit code 0
# *and* a line "OK" as its closing banner, within the time limit.
#
#   run_in_qemu.sh MACHINE IMAGE
#
# The first UART is the console; the second and the third are wired to each other.
#
# TAUT_QEMU_TIMEOUT_S  time limit in seconds (default 300)
# TAUT_QEMU_COUNT=1    one instruction = 64 ns of board time, for counting cost
set -u
if [ $# -ne 2 ] || [ ! -f "$2" ]; then
    echo "usage: run_in_qemu.sh MACHINE IMAGE (a file); got: $*" >&2
    exit 2
fi
machine=$1
image=$2
limit_s=${TAUT_QEMU_TIMEOUT_S:-300}
count=
[ "${TAUT_QEMU_COUNT:-0}" = 1 ] && count="-icount shift=6,align=off,sleep=off"

folder=$(mktemp -d) || exit 2
log=$folder/log
trap 'rm -rf "$folder"' EXIT
# $count is left unquoted on purpose: it is a list of options or nothing.
# shellcheck disable=SC2086
timeout --kill-after=5 "$limit_s" qemu-system-arm -machine "$machine" -kernel "$image" \
    -display none -monitor none -serial stdio $count \
    -chardev "socket,id=one,path=$folder/wire,server=on,wait=off" -serial chardev:one \
    -chardev "socket,id=two,path=$folder/wire" -serial chardev:two \
    -semihosting-config enable=on,target=native </dev/null >"$log" 2>&1
code=$?
cat "$log"

name=$(basename "$image")
if [ $code -eq 124 ] || [ $code -eq 137 ]; then
    echo "run_in_qemu: $name did not end within $limit_s s" >&2
    exit 1
elif [ $code -ne 0 ]; then
    echo "run_in_qemu: $name ended with exit code $code" >&2
    exit 1
elif ! grep -qx 'OK' "$log"; then
    echo "run_in_qemu: $name ended without its closing banner" >&2
    exit 1
fi
