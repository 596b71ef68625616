#!/bin/sh
# Runs the strand demo on the PC and on both emulated boards and puts the answers
# side by side: side_by_side.sh BUILD_FOLDER. Exit code 1 if any bit differs.
set -u
build=${1:?usage: side_by_side.sh BUILD_FOLDER}
boards=$(cd "$(dirname "$0")/../../boards" && pwd)
results=$(mktemp -d) || exit 1
trap 'rm -rf "$results"' EXIT

run() { # KEY TITLE COMMAND...
    key=$1
    title=$2
    shift 2
    if ! "$@" >"$results/log" 2>&1; then
        cat "$results/log" >&2
        echo "demo: $title failed" >&2
        exit 1
    fi
    sed -n 's/^strand \([a-z]*\) middle_mm \([-0-9.]*\) hash \([0-9a-f]*\)$/\1 \2 \3/p' \
        "$results/log" >"$results/$key"
    while read -r precision middle_mm hash; do
        printf '%-28s %-7s %10s mm  %s\n' "$title" "$precision" "$middle_mm" "$hash"
    done <"$results/$key"
}

echo "A strand of 144 rollers (chain of 6S90MC-C, 40 kN), shaken at 7.6 Hz for 0.5 s:"
echo "10 000 steps of 50 us, then the place of its middle and a hash of the whole state."
echo
printf '%-28s %-7s %13s  %s\n' machine numbers middle "state hash"
run pc "this PC" "$build/host/boards/strand_demo"
run m4 "Cortex-M4F (emulated AN386)" "$boards/cortex_m/run_in_qemu.sh" mps2-an386 \
    "$build/m4/boards/strand_demo"
run m7 "Cortex-M7 (emulated AN500)" "$boards/cortex_m/run_in_qemu.sh" mps2-an500 \
    "$build/m7/boards/strand_demo"
echo
if [ -s "$results/pc" ] && cmp -s "$results/pc" "$results/m4" && cmp -s "$results/pc" "$results/m7"
then
    echo "The same bits on all three."
else
    echo "demo: the machines do not agree" >&2
    exit 1
fi
