// The reduced chain of 6S90MC-C with all its parts, for tests that run on boards too, where no
// block can be made. block_6s90mc_c.inc is made by make_reduced_test_block on the host; test_block
// checks there that reduce() still makes it, and says how to make it anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sim_core/reduced_chain/reduced_model.h"

namespace taut::reduced_test {

using reduced_chain::ReducedModel;

inline constexpr std::size_t kBlockWords = sizeof(ReducedModel) / sizeof(std::uint32_t);

// Zeros to skip, words that follow, the words; again and again.
inline constexpr std::uint32_t kPacked[] = {
#include "tests/unit/reduced_chain/block_6s90mc_c.inc"
};

// False if the packed block is not of this size.
[[nodiscard]] inline bool unpack(ReducedModel& model) {
  static std::uint32_t words[kBlockWords];
  std::size_t at = 0;
  for (std::size_t i = 0; i + 1 < sizeof(kPacked) / sizeof(kPacked[0]);) {
    const std::uint32_t zeros = kPacked[i];
    const std::uint32_t count = kPacked[i + 1];
    i += 2;
    for (std::uint32_t k = 0; k < zeros && at < kBlockWords; ++k) {
      words[at++] = 0;
    }
    for (std::uint32_t k = 0; k < count && at < kBlockWords; ++k) {
      words[at++] = kPacked[i + k];
    }
    i += count;
  }
  std::memcpy(static_cast<void*>(&model), words, sizeof(model));
  return at == kBlockWords;
}

}  // namespace taut::reduced_test
