// How a step is compiled: all of it in one function, so that its loops see that arrays do not
// overlap; and in several versions, of which the program takes the best that the processor can
// run. Not for functions that may be inlined: those take what their caller has.
#pragma once

// "avx2" is x86-64-v3 without fused multiply-add, which gcc 12 now and then puts into vectorised
// code although it is told not to (-ffp-contract=off); the bits would differ. v4 cannot be had
// without: a test looks through the object code. v4 is taken for its masks, with vectors as wide as
// v3's: wider ones are slower on arrays this short, and with double so is all of v4.
#if !defined(__x86_64__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAUT_WHOLE_STEP
#define TAUT_WHOLE_FLOAT_STEP
#define TAUT_WHOLE_STEP_V3
#define TAUT_WHOLE_STEP_BASELINE
#elif defined(__clang__)
#define TAUT_WHOLE_STEP [[gnu::flatten]]
#define TAUT_WHOLE_FLOAT_STEP [[gnu::flatten]]
#define TAUT_WHOLE_STEP_V3 [[gnu::flatten]]
#define TAUT_WHOLE_STEP_BASELINE [[gnu::flatten]]
#else
#define TAUT_WHOLE_STEP [[gnu::flatten, gnu::target_clones("avx2", "default")]]
#define TAUT_WHOLE_FLOAT_STEP \
  [[gnu::flatten, gnu::target_clones("arch=x86-64-v4", "avx2", "default")]]
#define TAUT_WHOLE_STEP_V3 [[gnu::flatten, gnu::target("avx2")]]
#define TAUT_WHOLE_STEP_BASELINE [[gnu::flatten]]
#endif
