// Takes the place of copy_data() and copies nothing.
extern "C" void __wrap__ZN4taut8cortex_m9copy_dataEv();

void __wrap__ZN4taut8cortex_m9copy_dataEv() {}
