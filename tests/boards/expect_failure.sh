#!/bin/sh
# Passes only if a command fails *and* says why: expect_failure.sh REGEX COMMAND...
regex=$1
shift
output=$("$@" 2>&1)
code=$?
echo "$output"
if [ $code -eq 0 ]; then
    echo "expect_failure: the command succeeded: $*" >&2
    exit 1
elif ! echo "$output" | tr "\n" " " | grep -Eq "$regex"; then
    echo "expect_failure: failed with code $code, but not with the words: $regex" >&2
    exit 1
fi
