# How Taut's own code is compiled, as two interface targets, and the check that
# every header compiles alone. Third-party code gets none of this.

option(TAUT_WARNINGS_AS_ERRORS "A warning in our own code stops the build" ON)
option(TAUT_CHECK_HEADERS "Compile each header alone" ON)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(CMAKE_CROSSCOMPILING)
  # Into compile_commands.json, so that clang-tidy finds the target's own headers.
  set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
endif()

# The same bits everywhere: no contraction to fused multiply-add, no reordering.
# Travels with sim_core to everyone who compiles its headers.
add_library(taut_same_bits INTERFACE)
target_compile_options(taut_same_bits INTERFACE
                       -ffp-contract=off -fno-math-errno -fno-trapping-math)

# All of our own code; host tools and set-up code take this.
add_library(taut_host_options INTERFACE)
target_link_libraries(taut_host_options INTERFACE taut_same_bits)
target_include_directories(taut_host_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(taut_host_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow -Wundef
  -Wcast-align -Wcast-qual -Wformat=2 -Wimplicit-fallthrough
  $<$<BOOL:${TAUT_WARNINGS_AS_ERRORS}>:-Werror>
  $<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual
    -Wextra-semi>)

# All that may run on a target: no exceptions, no RTTI; a static object that is reached
# first from an interrupt must not wait for a lock, so no guards either.
add_library(taut_options INTERFACE)
target_link_libraries(taut_options INTERFACE taut_host_options)
target_compile_options(taut_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>)

# taut_check_headers(TARGET OPTIONS HEADER...): compiles each header alone, twice in a row
# so that a missing guard fails too, as a user of TARGET with the interface target OPTIONS.
function(taut_check_headers target options)
  if(NOT TAUT_CHECK_HEADERS)
    return()
  endif()
  set(sources)
  foreach(header IN LISTS ARGN)
    file(RELATIVE_PATH header "${PROJECT_SOURCE_DIR}" "${header}")
    set(source "${CMAKE_CURRENT_BINARY_DIR}/alone/${header}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND sources "${source}")
  endforeach()
  add_library(${target}_headers_alone OBJECT ${sources})
  target_link_libraries(${target}_headers_alone PRIVATE ${options} ${target})
endfunction()
