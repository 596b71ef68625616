// How a program on an emulated board ends, other than by main's own return value.
#pragma once

namespace taut::cortex_m {

inline constexpr int kExitFault = 70;   // a processor exception nobody handles
inline constexpr int kExitAssert = 71;  // TAUT_ASSERT

}  // namespace taut::cortex_m
