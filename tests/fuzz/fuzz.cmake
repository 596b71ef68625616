# Parsers of XCP under libFuzzer with address and undefined-behaviour sanitizers. Sources are
# compiled anew, with the fuzzer's eyes in them; needs clang, whatever compiles the rest.
find_program(TAUT_CLANGXX clang++)
if(TAUT_CLANGXX)
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/try_fuzzer.cpp"
       "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n")
  execute_process(
    COMMAND ${TAUT_CLANGXX} -fsanitize=fuzzer,address -o try_fuzzer try_fuzzer.cpp
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" RESULT_VARIABLE no_fuzzer OUTPUT_QUIET ERROR_QUIET)
endif()
if(NOT TAUT_CLANGXX OR no_fuzzer)
  message(WARNING "No clang++ with libFuzzer: no fuzzers. Run host_tools/setup/setup.sh.")
  return()
endif()

set(fuzzed
  hal/xcp/commands_daq.cpp hal/xcp/commands_memory.cpp hal/xcp/commands_session.cpp hal/xcp/daq.cpp
  hal/xcp/daq_transfer.cpp hal/xcp/slave.cpp hal/xcp/sxi_frame.cpp hal/xcp/table.cpp
  hal/xcp/udp_frame.cpp sim_core/twin/table.cpp tests/fuzz/fuzz_assert.cpp)
list(TRANSFORM fuzzed PREPEND "${PROJECT_SOURCE_DIR}/")
file(GLOB fuzzed_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/hal/xcp/*.h"
     "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/*.h")
get_target_property(etl_folders etl::etl INTERFACE_INCLUDE_DIRECTORIES)
list(TRANSFORM etl_folders PREPEND "-isystem")

foreach(name slave sxi udp)
  set(source "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz_${name}.cpp")
  set(program "${CMAKE_CURRENT_BINARY_DIR}/fuzz_${name}")
  add_custom_command(OUTPUT "${program}"
    COMMAND ${TAUT_CLANGXX} -std=c++20 -O1 -g1 -fsanitize=fuzzer,address,undefined
            -fno-sanitize-recover=all -I${PROJECT_SOURCE_DIR} ${etl_folders}
            -o "${program}" "${source}" ${fuzzed}
    DEPENDS "${source}" ${fuzzed} ${fuzzed_headers} VERBATIM)
  list(APPEND fuzzers "${program}")
  # The corpus, and 10 000 executions more, always the same; `make fuzz` goes on.
  add_test(NAME fuzz.${name}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/run.sh "${program}"
                   "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}" 10000)
endforeach()
add_custom_target(fuzzers ALL DEPENDS ${fuzzers})
