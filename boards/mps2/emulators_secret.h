// What unlocks an emulated board by XCP. It lies here for all to see: not secret. A real board gets
// one of its own by other ways than its sources.
#pragma once

#include "hal/xcp/seed_key.h"

namespace taut::mps2 {

inline constexpr hal::xcp::Secret kEmulatorsSecret = {
    'a', 'n', ' ', 'e', 'm', 'u', 'l', 'a', 't', 'e', 'd', ' ', 'b', 'o', 'a', 'r',
    'd', ' ', 'k', 'e', 'e', 'p', 's', ' ', 'n', 'o', ' ', 's', 'e', 'c', 'r', 'e'};

}  // namespace taut::mps2
