# The library `board` for either MPS2 image: core, platform, and how to link. The one difference
# between the two is given: flash_begin, the address of what stands for flash.
set(core "${PROJECT_SOURCE_DIR}/boards/cortex_m")
set(platform "${PROJECT_SOURCE_DIR}/boards/mps2")

# An object library: the vector table and the stubs must be linked although
# nothing refers to them by name.
add_library(board_objects OBJECT
  ${core}/fault.cpp
  ${core}/instruction_counter.cpp
  ${core}/memory_init.cpp
  ${core}/stack_paint.cpp
  ${core}/startup.cpp
  ${core}/runtime_stubs.cpp
  ${core}/soft_double.cpp
  ${core}/vectors.cpp
  ${platform}/board.cpp)
target_include_directories(board_objects PUBLIC "${platform}")
target_link_libraries(board_objects PUBLIC hal PRIVATE taut_options)
target_compile_options(board_objects PRIVATE -fstack-usage)

add_library(board INTERFACE)
target_link_libraries(board INTERFACE board_objects $<TARGET_OBJECTS:board_objects> hal)
target_compile_options(board INTERFACE -fstack-usage)

# A reference to one of these becomes one to a name that does not exist, so the
# link fails and says who asked: no heap, no exceptions, no printf on a target.
set(forbidden malloc _malloc_r calloc _calloc_r realloc _realloc_r free _free_r sbrk _sbrk
              __gxx_personality_v0 __cxa_throw printf _printf_r)
list(TRANSFORM forbidden PREPEND "LINKER:--wrap=")
# These go to soft_double.cpp, which mends what libgcc gets wrong.
set(corrected __aeabi_dadd __aeabi_dsub __aeabi_drsub)
list(TRANSFORM corrected PREPEND "LINKER:--wrap=")
target_link_options(board INTERFACE
  -nostartfiles
  -L${core} -T${platform}/memory.ld LINKER:--defsym=__flash_begin=${flash_begin}
  LINKER:--gc-sections LINKER:--fatal-warnings LINKER:--print-memory-usage
  ${forbidden} ${corrected})
set_target_properties(board PROPERTIES
  INTERFACE_LINK_DEPENDS "${core}/sections.ld;${platform}/memory.ld")

file(GLOB headers CONFIGURE_DEPENDS "${core}/*.h" "${platform}/*.h")
taut_check_headers(board_objects taut_options ${headers})

# The application is the same on both.
set(TAUT_MAIN "${platform}/main.cpp" PARENT_SCOPE)
