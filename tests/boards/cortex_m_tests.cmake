# What only a Cortex-M image can show: its float mode in interrupts, its stack, and
# that an image which is wrong in a known way does not pass.

# -- Float mode in an interrupt
taut_test_image(test_boards_interrupt_float_mode boards/test_interrupt_float_mode.cpp)
add_test(NAME boards.interrupt_float_mode COMMAND test_boards_interrupt_float_mode)

# -- Drivers, by the contracts of their concepts or by what only hardware does
foreach(driver ram_flash tick_timer uart_link watchdog)
  taut_test_image(test_boards_${driver} boards/test_${driver}.cpp)
  add_test(NAME boards.${driver} COMMAND test_boards_${driver})
endforeach()
# A fixed time per instruction: no load of the host makes them late.
set_tests_properties(boards.tick_timer boards.watchdog PROPERTIES ENVIRONMENT TAUT_QEMU_COUNT=1)

# -- Images run, and the firmware's stack cannot overflow. The firmware itself waits for frames:
# tests/system runs it.
add_test(NAME image.runs COMMAND strand_demo)
taut_test_image(firmware_ticks bench/firmware_ticks.cpp)
add_test(NAME image.ticks COMMAND firmware_ticks)
taut_test_image(flooded_ticks bench/flooded_ticks.cpp)
add_test(NAME image.flooded_ticks COMMAND flooded_ticks)
set_tests_properties(image.ticks image.flooded_ticks PROPERTIES ENVIRONMENT TAUT_QEMU_COUNT=1)
add_test(NAME image.stack_bound
         COMMAND ${PROJECT_SOURCE_DIR}/boards/cortex_m/stack_bound.py --objects ${PROJECT_BINARY_DIR}
                 $<TARGET_FILE:taut_firmware>)

# -- Images that must not pass
# taut_must_fail(NAME REGEX COMMAND...)
function(taut_must_fail name regex)
  add_test(NAME negative.${name}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/boards/expect_failure.sh ${regex} ${ARGN})
endfunction()

foreach(wrong hang hard_fault stack_overflow no_banner exit_code assertion)
  taut_test_image(negative_${wrong} boards/negative/${wrong}.cpp)
endforeach()
set(run ${CMAKE_CROSSCOMPILING_EMULATOR})
taut_must_fail(hang "did not end within 5 s" ${run} $<TARGET_FILE:negative_hang>)
set_tests_properties(negative.hang PROPERTIES ENVIRONMENT TAUT_QEMU_TIMEOUT_S=5)
taut_must_fail(hard_fault "fault: exception [0-9]+, pc 0x[0-9a-f]+.*exit code 70"
               ${run} $<TARGET_FILE:negative_hard_fault>)
taut_must_fail(stack_overflow "stack overflow.*exit code 70"
               ${run} $<TARGET_FILE:negative_stack_overflow>)
taut_must_fail(no_banner "without its closing banner" ${run} $<TARGET_FILE:negative_no_banner>)
taut_must_fail(exit_code "exit code 3" ${run} $<TARGET_FILE:negative_exit_code>)
taut_must_fail(assertion "assertion failed, value 2.5.*exit code 71"
               ${run} $<TARGET_FILE:negative_assertion>)

# A tick that handles all that has come.
taut_test_image(negative_unbounded_ticks bench/flooded_ticks.cpp)
target_compile_definitions(negative_unbounded_ticks PRIVATE TAUT_WITHOUT_BOUND)
taut_must_fail(unbounded_ticks "more packets in a tick than the bound.*costs more than is stated"
               ${run} $<TARGET_FILE:negative_unbounded_ticks>)
set_tests_properties(negative.unbounded_ticks PROPERTIES ENVIRONMENT TAUT_QEMU_COUNT=1)

# The boot test with the copying of .data linked away.
taut_test_image(negative_no_data_copy unit/boards/test_boot.cpp boards/negative/no_data_copy.cpp)
target_link_options(negative_no_data_copy PRIVATE LINKER:--wrap=_ZN4taut8cortex_m9copy_dataEv)
taut_must_fail(no_data_copy "test_initialised_data_is_copied:FAIL"
               ${run} $<TARGET_FILE:negative_no_data_copy>)

# -- Links that must fail, and name the culprit
# taut_must_not_link(NAME SYMBOL SOURCE [DEFINITION...])
function(taut_must_not_link name symbol source)
  taut_test_image(negative_link_${name} ${source})
  set_target_properties(negative_link_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  target_compile_definitions(negative_link_${name} PRIVATE ${ARGN})
  taut_must_fail(link_${name} "undefined reference to .__wrap_${symbol}"
                 ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target negative_link_${name})
  set_tests_properties(negative.link_${name} PROPERTIES RESOURCE_LOCK build_tree)
endfunction()

foreach(symbol malloc _malloc_r _sbrk __gxx_personality_v0 __cxa_throw _printf_r)
  taut_must_not_link(${symbol} ${symbol} boards/negative/forbidden_symbol.cpp
                     FORBIDDEN_SYMBOL="${symbol}")
endforeach()
taut_must_not_link(operator_new malloc boards/negative/operator_new.cpp)
