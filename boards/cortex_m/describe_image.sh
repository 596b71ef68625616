#!/bin/sh
# What a board's firmware image needs: size in memory and static stack bound; then what a tick of the
# application costs, in steady running and flooded with packets, and the stack each of these runs
# painted over. describe_image.sh MACHINE BUILD_FOLDER
set -eu
machine=${1:?usage: describe_image.sh MACHINE BUILD_FOLDER}
build=${2:?usage: describe_image.sh MACHINE BUILD_FOLDER}
here=$(dirname "$0")
image=$build/boards/taut_firmware

echo "== $image for $machine"
arm-none-eabi-size "$image"
"$here/stack_bound.py" --objects "$build" "$image"
for run in firmware_ticks flooded_ticks; do
    TAUT_QEMU_COUNT=1 "$here/run_in_qemu.sh" "$machine" "$build/tests/$run"
done
