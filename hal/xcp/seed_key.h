// Seeds and their keys: key = HMAC-SHA-256(secret, seed), RFC 2104 and FIPS 180-4, by Mbed TLS.
// Thousands of instructions: for the slow loop, ahead of the master's question.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/array.h>
#include <etl/queue_spsc_atomic.h>
#include <etl/span.h>

#include "hal/entropy_source.h"
#include "hal/xcp/slave.h"

namespace taut::hal::xcp {

// Given to board and master by other ways than XCP.
inline constexpr std::size_t kSecretBytes = 32;
using Secret = etl::array<std::uint8_t, kSecretBytes>;

// Does not block; not from an interrupt. False: the library refused; the key is all zero.
[[nodiscard]] bool make_key(const Secret& secret, etl::span<const std::uint8_t> seed,
                            etl::array<std::uint8_t, kKeyBytes>& key);

// Called often from the slow loop: draws a seed where the slave's queue has room for one.
template <EntropySource Entropy>
void top_up(etl::iqueue_spsc_atomic<Challenge>& challenges, const Secret& secret,
            Entropy& entropy) {
  Challenge challenge{};
  if (!challenges.full() && entropy.fill(challenge.seed) &&
      make_key(secret, challenge.seed, challenge.key)) {
    static_cast<void>(challenges.push(challenge));
  }
}

}  // namespace taut::hal::xcp
