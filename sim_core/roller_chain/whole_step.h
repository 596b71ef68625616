// How a step is compiled: all of it in one function, so that its loops see that arrays do not
// overlap; and in two versions, of which the program takes the one that the processor can run.
// Not for functions that may be inlined: those take what their caller has.
#pragma once

// "avx2" leaves out fused multiply-add: gcc 12 fuses in vectorised code although it is told not
// to (-ffp-contract=off), and the bits would differ.
#if !defined(__x86_64__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAUT_WHOLE_STEP
#define TAUT_WHOLE_STEP_BASELINE
#elif defined(__clang__)
#define TAUT_WHOLE_STEP [[gnu::flatten]]
#define TAUT_WHOLE_STEP_BASELINE [[gnu::flatten]]
#else
#define TAUT_WHOLE_STEP [[gnu::flatten, gnu::target_clones("avx2", "default")]]
#define TAUT_WHOLE_STEP_BASELINE [[gnu::flatten]]
#endif
