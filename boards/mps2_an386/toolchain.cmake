# Cortex-M4F: single-precision FPU, doubles in software.
set(TAUT_BOARD mps2_an386)
set(TAUT_CPU_FLAGS "-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16")
set(TAUT_QEMU_MACHINE mps2-an386)
include("${CMAKE_CURRENT_LIST_DIR}/../cortex_m/toolchain.cmake")
