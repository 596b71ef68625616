#!/bin/sh
# Runs one fuzzer: run.sh PROGRAM CORPUS EXECUTIONS. The corpus is read and left as it is; what is
# found goes to the working folder.
set -eu
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
"$1" -runs="$3" -seed=1 -max_len=256 -print_final_stats=1 "$found" "$2" 2>"$found.log" || {
    cat "$found.log" >&2
    rm -f "$found.log"
    exit 1
}
grep -E 'DONE|stat::(number_of_executed_units|average_exec_per_sec)' "$found.log"
rm -f "$found.log"
