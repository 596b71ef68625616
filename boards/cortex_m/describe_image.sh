#!/bin/sh
# What a board's firmware image needs: size in memory, static stack bound, and the
# stack one run painted over. describe_image.sh MACHINE BUILD_FOLDER
set -eu
machine=${1:?usage: describe_image.sh MACHINE BUILD_FOLDER}
build=${2:?usage: describe_image.sh MACHINE BUILD_FOLDER}
here=$(dirname "$0")
image=$build/boards/taut_firmware

echo "== $image for $machine"
arm-none-eabi-size "$image"
"$here/stack_bound.py" --objects "$build" "$image"
"$here/run_in_qemu.sh" "$machine" "$image"
