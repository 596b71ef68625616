#include "hal/xcp/seed_key.h"

#include <cstring>

#if TAUT_HAVE_MBEDTLS
#include <mbedtls/md.h>

namespace {

// All that one key takes: the state of a hash and two padded keys, 240 bytes of Mbed TLS 3.6.
constexpr std::size_t kArenaBytes = 512;
alignas(std::max_align_t) std::uint8_t arena[kArenaBytes];
std::size_t arena_used = 0;

}  // namespace

void* taut_mbedtls_calloc(std::size_t count, std::size_t size) {
  constexpr std::size_t kAlign = alignof(std::max_align_t);
  if (size != 0 && count > kArenaBytes / size) {
    return nullptr;
  }
  const std::size_t bytes = (count * size + kAlign - 1) / kAlign * kAlign;
  if (bytes > kArenaBytes - arena_used) {
    return nullptr;
  }
  std::uint8_t* memory = arena + arena_used;
  arena_used += bytes;
  std::memset(memory, 0, bytes);
  return memory;
}

// All at once, with the next key.
void taut_mbedtls_free(void* /*memory*/) {}
#endif

namespace taut::hal::xcp {

bool make_key(const Secret& secret, etl::span<const std::uint8_t> seed,
              etl::array<std::uint8_t, kKeyBytes>& key) {
  key.fill(0);
#if TAUT_HAVE_MBEDTLS
  arena_used = 0;
  const mbedtls_md_info_t* sha256 = mbedtls_md_info_from_type(MBEDTLS_MD_SHA256);
  return mbedtls_md_hmac(sha256, secret.data(), secret.size(), seed.data(), seed.size(),
                         key.data()) == 0;
#else
  static_cast<void>(secret);
  static_cast<void>(seed);
  return false;  // no key, no seed: what is locked stays so
#endif
}

}  // namespace taut::hal::xcp
