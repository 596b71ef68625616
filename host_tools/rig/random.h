// Random numbers that are the same wherever the rig runs: std::mt19937_64 is fixed to the bit by
// the C++ standard, std's distributions are not, so that these are made here. Every part of the
// rig draws from a stream of its own: a fault more does not change the noise of a sensor.
#pragma once

#include <cstdint>
#include <random>

namespace taut::rig {

// Faults have the streams from kFirstFault on.
enum class Stream : std::uint32_t {
  kPlant,
  kWheel,
  kEdges,
  kCrankAcceleration,
  kLinkForce,
  kTightenerAcceleration,
  kTightenerPosition,
  kFirstFault = 100,
};

class Random {
 public:
  Random(std::uint64_t seed, std::uint32_t stream);
  Random(std::uint64_t seed, Stream stream) : Random(seed, static_cast<std::uint32_t>(stream)) {}

  [[nodiscard]] double uniform();  // [0, 1), multiples of 2^-53
  [[nodiscard]] double within(double largest) { return (2 * uniform() - 1) * largest; }
  // Mean 0, standard deviation 1: twelve uniform numbers less six. Needs no logarithm, of which
  // every library has its own; nothing lies beyond 6, and the kurtosis is 2.9 where Gauss has 3.
  [[nodiscard]] double normal();

 private:
  std::mt19937_64 engine_;
};

}  // namespace taut::rig
