// What a board checks of itself before it runs: that numbers come out as everywhere else, that
// memory holds what is written. The model's block has a check of its own (reduced_chain/block.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/span.h>

namespace taut::firmware {

enum class SelfTest : std::uint8_t {
  kPassed,
  kOtherNumbers,   // rounding, subnormals or a library are not as on all other targets
  kFaultyMemory,   // a bit did not stay as written
  kNoModel,        // the model's block is missing, damaged, or another drive's
  kWrongOutputs,   // a scale without length, a fail value that no converter gives
  kWrongChannels,  // limits of a sensor that cannot be
};

[[nodiscard]] const char* reason(SelfTest result);

// Hash of elementary functions in this type, and of arithmetic where float modes differ.
template <typename Real>
[[nodiscard]] std::uint64_t numbers_hash();

template <typename Real>
[[nodiscard]] SelfTest check_numbers();

// Patterns and their addresses, up and down, over memory that nobody uses yet. Leaves zeros.
[[nodiscard]] SelfTest check_memory(etl::span<volatile std::uint32_t> words);

}  // namespace taut::firmware
