# What only a PC runs: programs for a desktop and tests of our scripts.
find_package(Threads REQUIRED)
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)

add_executable(exhaustive_float bench/exhaustive_float.cpp)
target_link_libraries(exhaustive_float PRIVATE sim_core taut_options Threads::Threads)

add_executable(reduced_chain_hours bench/reduced_chain_hours.cpp)
target_link_libraries(reduced_chain_hours PRIVATE taut_options board sim_core)

add_executable(twin_hours bench/twin_hours.cpp $<TARGET_OBJECTS:board>)
target_link_libraries(twin_hours PRIVATE taut_options hal sim_core)

if(TAUT_HOST_TOOLS AND TAUT_LONG_TESTS)
  # Half an hour; `make bench` runs ten.
  add_test(NAME reduced_chain.hours COMMAND reduced_chain_hours 0.5)
  # Twenty minutes; `make bench` runs 10^7 ticks.
  add_test(NAME twin.hours COMMAND twin_hours 2304000)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64 AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_test(NAME roller_chain.not_fused
             COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/host/check_not_fused.py
                     $<TARGET_FILE:sim_core_roller_chain>)
  endif()
  # The roller chain's step as for a processor with a lesser vector unit.
  add_library(step_variants STATIC bench/step_variants.cpp)
  target_link_libraries(step_variants PUBLIC sim_core PRIVATE taut_options)
  taut_unit_test(roller_chain/vector_units)
  target_link_libraries(test_roller_chain_vector_units PRIVATE step_variants)
  add_executable(chain_speed bench/chain_speed.cpp)
  target_link_libraries(chain_speed PRIVATE adaptive step_variants board taut_host_options)
  set_source_files_properties(bench/step_variants.cpp bench/chain_speed.cpp PROPERTIES
                              COMPILE_OPTIONS "${TAUT_STEP_OPTIONS}")
endif()

add_test(NAME scripts.stack_bound
         COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/host/test_stack_bound.py)
add_test(NAME scripts.check_layers
         COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/host/test_check_layers.py)
add_test(NAME scripts.setup
         COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/host/test_setup.py)

if(TAUT_HOST_TOOLS)
  # Each block is made by minutes of running where the program is slow, under sanitizers.
  set(only_reduced)
  if(NOT TAUT_LONG_TESTS)
    set(only_reduced -k wrong -k does_not_fit)
  endif()
  set(commands files commands run sweep reduced rig)
  if(TAUT_LONG_TESTS)
    list(APPEND commands faults flash rt twin)
  endif()
  foreach(name IN LISTS commands)
    add_test(NAME taut.${name}
             COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/host/test_taut_${name}.py
                     ${only_${name}})
    set_tests_properties(taut.${name} PROPERTIES ENVIRONMENT TAUT=$<TARGET_FILE:taut>)
  endforeach()

  if(TAUT_LONG_TESTS)
    foreach(name published numerics)
      add_test(NAME taut.${name}
               COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/host/test_${name}.py)
      # Each keeps all cores busy by itself.
      set_tests_properties(taut.${name} PROPERTIES ENVIRONMENT TAUT=$<TARGET_FILE:taut>
                                                   RUN_SERIAL ON)
    endforeach()
  endif()

  # With exceptions, as the rig has them.
  foreach(name analog_sensor engine faults plant_parameters random rig tooth_wheel)
    add_executable(test_rig_${name} unit/rig/test_${name}.cpp)
    target_link_libraries(test_rig_${name} PRIVATE taut_host_options firmware test_support taut_rig)
    add_test(NAME rig.${name} COMMAND test_rig_${name})
  endforeach()

  add_executable(test_emulator_stimulus unit/emulator/test_stimulus.cpp)
  target_link_libraries(test_emulator_stimulus PRIVATE taut_host_options test_support
                                                       taut_emulator)
  add_test(NAME emulator.stimulus COMMAND test_emulator_stimulus)

  add_executable(test_live_page_data unit/live/test_page_data.cpp)
  target_link_libraries(test_live_page_data PRIVATE taut_host_options firmware test_support
                                                    taut_live)
  add_test(NAME live.page_data COMMAND test_live_page_data)
  find_program(CHROMIUM chromium)
  find_program(NODE node)
  if(TAUT_LONG_TESTS)
    add_test(NAME taut.live
             COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/host/test_taut_live.py)
    set_tests_properties(taut.live PROPERTIES ENVIRONMENT
      "TAUT=$<TARGET_FILE:taut>;IMAGE=${PROJECT_BINARY_DIR}/../m7/boards/taut_firmware")
  endif()
  if(TAUT_LONG_TESTS AND CHROMIUM AND NODE)
    add_test(NAME live.browser
             COMMAND ${NODE} ${CMAKE_CURRENT_SOURCE_DIR}/host/test_live_page.mjs)
    set_tests_properties(live.browser PROPERTIES
      LABELS browser
      ENVIRONMENT "TAUT=$<TARGET_FILE:taut>;CHROMIUM=${CHROMIUM};NPM=${PROJECT_SOURCE_DIR}/.deps/npm;SHOTS=${PROJECT_BINARY_DIR}/live_screenshots")
  endif()

  add_executable(test_twin_log host/test_twin_log.cpp)
  target_link_libraries(test_twin_log PRIVATE taut_host_options firmware test_support taut_tool)
  add_test(NAME taut.twin_log COMMAND test_twin_log)

  taut_test_image(test_spectrum_peaks host/test_spectrum_peaks.cpp)
  target_link_libraries(test_spectrum_peaks PRIVATE taut_tool)
  add_test(NAME taut.spectrum_peaks COMMAND test_spectrum_peaks)

  # The firmware on emulated boards; skipped where their trees are not built.
  foreach(name closed_loop flash_boot)
    add_executable(${name} system/${name}.cpp system/judged.cpp system/packed_block.cpp)
    target_link_libraries(${name} PRIVATE taut_emulator taut_host_options)
  endforeach()
  foreach(preset_and_machine m4/mps2-an386 m7/mps2-an500)
    get_filename_component(preset ${preset_and_machine} DIRECTORY)
    get_filename_component(machine ${preset_and_machine} NAME)
    set(image ${PROJECT_BINARY_DIR}/../${preset}/boards/taut_firmware)
    if(TAUT_LONG_TESTS)
      add_test(NAME system.closed_loop_${preset} COMMAND closed_loop ${machine} ${image})
      add_test(NAME system.uart_${preset} COMMAND closed_loop ${machine} ${image} uart 500)
      add_test(NAME system.flash_boot_${preset}
               COMMAND flash_boot ${machine} ${image} $<TARGET_FILE:taut>)
      set_tests_properties(system.closed_loop_${preset} system.uart_${preset}
                           system.flash_boot_${preset} PROPERTIES SKIP_RETURN_CODE 77)
    endif()
  endforeach()
endif()

# A flood of packets on loopback, seven seconds' worth of them; `make bench` runs it by the clock.
taut_test_image(xcp_flood bench/xcp_flood.cpp $<TARGET_OBJECTS:board>)
add_test(NAME xcp.flood COMMAND xcp_flood step 14000)
add_test(NAME negative.unbounded_flood
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/boards/expect_failure.sh
                 "more packets in a tick than the bound" $<TARGET_FILE:xcp_flood> step 200 unbounded)

# XCP against a master by others. Without Mbed TLS nothing can be unlocked, without pyxcp there is
# no master: then these are left out.
if(TAUT_HOST_TOOLS AND TARGET MbedTLS::hmac_sha256)
  add_executable(xcp_server host/xcp_server.cpp)
  target_link_libraries(xcp_server PRIVATE taut_options board sim_core hal)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_SOURCE_DIR}/.deps/python
            ${Python3_EXECUTABLE} -c "import pyxcp.master"
    RESULT_VARIABLE no_pyxcp OUTPUT_QUIET ERROR_QUIET)
  if(no_pyxcp)
    message(WARNING "No pyxcp for ${Python3_EXECUTABLE}: no tests against it. "
                    "Run host_tools/setup/setup.sh.")
  else()
    add_test(NAME xcp.pyxcp
             COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/host/test_xcp.py)
    if(TAUT_LONG_TESTS)
      # Emulated boards: those whose trees are built.
      add_test(NAME xcp.pyxcp_boards
               COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/host/test_xcp_boards.py)
      set(m4 "${PROJECT_BINARY_DIR}/../m4/boards/taut_firmware")
      set(m7 "${PROJECT_BINARY_DIR}/../m7/boards/taut_firmware")
      set_tests_properties(xcp.pyxcp_boards PROPERTIES ENVIRONMENT
        "TAUT=$<TARGET_FILE:taut>;BOARDS=mps2-an386=${m4} mps2-an500=${m7};PYTHONPATH=${PROJECT_SOURCE_DIR}/.deps/python")
    endif()
    set_tests_properties(xcp.pyxcp PROPERTIES ENVIRONMENT
      "TAUT=$<TARGET_FILE:taut>;XCP_SERVER=$<TARGET_FILE:xcp_server>;PYTHONPATH=${PROJECT_SOURCE_DIR}/.deps/python")
  endif()
endif()

if(TAUT_HOST_TOOLS)
  include(fuzz/fuzz.cmake)
endif()
