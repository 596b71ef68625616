# Cortex-M7: double-precision FPU.
set(TAUT_BOARD mps2_an500)
set(TAUT_CPU_FLAGS "-mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16")
set(TAUT_QEMU_MACHINE mps2-an500)
include("${CMAKE_CURRENT_LIST_DIR}/../cortex_m/toolchain.cmake")
