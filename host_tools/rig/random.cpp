#include "host_tools/rig/random.h"

namespace taut::rig {
namespace {

std::mt19937_64 seeded(std::uint64_t seed, std::uint32_t stream) {
  std::seed_seq words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                      stream};
  return std::mt19937_64(words);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint32_t stream) : engine_(seeded(seed, stream)) {}

double Random::uniform() {
  return static_cast<double>(engine_() >> 11U) * 0x1p-53;
}

double Random::normal() {
  double sum = -6;
  for (int i = 0; i < 12; ++i) {
    sum += uniform();
  }
  return sum;
}

}  // namespace taut::rig
