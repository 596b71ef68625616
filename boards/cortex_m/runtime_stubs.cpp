// What the compiler's own runtime asks for and an image does without.
extern "C" {

// Library objects name these in their unwind tables, which the linker script
// throws away. Empty: without them the linker would bring in the real unwinder.
void __aeabi_unwind_cpp_pr0() {}
void __aeabi_unwind_cpp_pr1() {}
void __aeabi_unwind_cpp_pr2() {}

// A board never runs the destructors of static objects, so nobody has to
// remember them; newlib would remember them on the heap.
void* __dso_handle = nullptr;
int __aeabi_atexit(void* /*object*/, void (* /*destructor*/)(void*), void* /*dso_handle*/) {
  return 0;
}
}
