// Gives RAM its contents before main: what the linker script's symbols say.
// Each step is a function in a file of its own, so that a test can leave one
// out at link time and see the boot test fail.
#pragma once

namespace taut::cortex_m {

void copy_data();         // initialised variables, from their image in CODE
void clear_bss();         // all other variables
void run_constructors();  // of objects with static storage

}  // namespace taut::cortex_m
