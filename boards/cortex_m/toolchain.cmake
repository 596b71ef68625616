# Cross build for a bare-metal Cortex-M. Not used by itself: a board's own
# toolchain.cmake names its core and its emulator, then includes this file.
foreach(needed TAUT_BOARD TAUT_CPU_FLAGS TAUT_QEMU_MACHINE)
  if(NOT DEFINED ${needed})
    message(FATAL_ERROR "${needed} is not set: use boards/<name>/toolchain.cmake as the toolchain")
  endif()
endforeach()

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
# CMake's compiler check cannot link a program before the board exists.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_C_FLAGS_INIT "-mthumb ${TAUT_CPU_FLAGS} -ffunction-sections -fdata-sections")
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT}")

# Tests run by plain ctest: this launcher judges exit code and closing banner.
set(CMAKE_CROSSCOMPILING_EMULATOR
    "${CMAKE_CURRENT_LIST_DIR}/run_in_qemu.sh;${TAUT_QEMU_MACHINE}")
# Header-only packages of the host (Eigen) serve the targets too.
list(APPEND CMAKE_SYSTEM_PREFIX_PATH /usr/local /usr)
