// Bytes kept over a loss of power: two copies in a parameter store, each with a sequence number and
// a CRC-32. A save writes the older one; whenever power fails, the other is whole.
// Not for a tick: blocks as the store does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <etl/array.h>
#include <etl/crc32.h>
#include <etl/optional.h>
#include <etl/span.h>

#include "hal/parameter_store.h"
#include "sim_core/assert.h"

namespace taut::hal {

enum class CopyStatus : std::uint8_t {
  kOk,
  kNone,          // no copy is whole
  kTooLarge,      // for a copy when saving, for the given bytes when loading; nothing was done
  kDeviceFailed,  // the older copy may be lost, the newer is not
};

// First in a copy, written last: what is not whole has no right one.
struct CopyHeader {
  std::uint32_t magic;
  std::uint32_t sequence;  // wraps
  std::uint32_t size;      // of the bytes behind it
  std::uint32_t crc;       // of sequence, size and bytes
};
inline constexpr std::uint32_t kCopyMagic = 0x59504F43U;  // "COPY"
inline constexpr std::size_t kLargestWriteUnit = 256;

namespace two_copies {

inline constexpr std::size_t kCopies = 2;
using Crc = etl::crc32_t<16>;

[[nodiscard]] inline std::size_t round_up(std::size_t size, std::size_t unit) {
  return (size + unit - 1) / unit * unit;
}

// Half of the store, in erase units.
template <ParameterStore Store>
[[nodiscard]] std::size_t copy_size(const Store& store) {
  return store.size() / kCopies / store.erase_unit() * store.erase_unit();
}

template <ParameterStore Store>
[[nodiscard]] std::size_t header_size(const Store& store) {
  return round_up(sizeof(CopyHeader), store.write_unit());
}

[[nodiscard]] inline Crc begin_crc(const CopyHeader& header) {
  etl::array<std::uint8_t, sizeof header> bytes;
  std::memcpy(bytes.data(), &header, sizeof header);
  Crc crc;
  crc.add(bytes.begin() + offsetof(CopyHeader, sequence),
          bytes.begin() + offsetof(CopyHeader, crc));
  return crc;
}

// Whether the copy is whole; reads all of it.
template <ParameterStore Store>
[[nodiscard]] bool is_whole(Store& store, std::size_t copy, CopyHeader& header) {
  const std::size_t begin = copy * copy_size(store);
  etl::array<std::uint8_t, 64> part;
  if (store.read(begin, {reinterpret_cast<std::uint8_t*>(&header), sizeof header}) !=
          StoreStatus::kOk ||
      header.magic != kCopyMagic || header.size > copy_size(store) - header_size(store)) {
    return false;
  }
  Crc crc = begin_crc(header);
  for (std::size_t at = 0; at < header.size; at += part.size()) {
    const std::size_t left = header.size - at;
    const std::size_t size = left < part.size() ? left : part.size();
    if (store.read(begin + header_size(store) + at, {part.data(), size}) != StoreStatus::kOk) {
      return false;
    }
    crc.add(part.data(), part.data() + size);
  }
  return crc.value() == header.crc;
}

// The newest whole copy, or kCopies if there is none.
template <ParameterStore Store>
[[nodiscard]] std::size_t newest(Store& store, CopyHeader& header) {
  CopyHeader other;
  const bool has_first = is_whole(store, 0, header);
  const bool has_second = is_whole(store, 1, other);
  const bool second_is_newer =
      has_second && (!has_first || static_cast<std::int32_t>(other.sequence - header.sequence) > 0);
  if (second_is_newer) {
    header = other;
    return 1;
  }
  return has_first ? 0 : kCopies;
}

// In whole write units; the last is filled up with what is erased.
template <ParameterStore Store>
[[nodiscard]] bool write_padded(Store& store, std::size_t offset,
                                etl::span<const std::uint8_t> from) {
  if (from.empty()) {  // nor need it lie anywhere
    return true;
  }
  const std::size_t unit = store.write_unit();
  const std::size_t whole = from.size() / unit * unit;
  if (store.write(offset, from.first(whole)) != StoreStatus::kOk) {
    return false;
  }
  if (whole == from.size()) {
    return true;
  }
  etl::array<std::uint8_t, kLargestWriteUnit> last;
  last.fill(kErased);
  std::memcpy(last.data(), from.data() + whole, from.size() - whole);
  return store.write(offset + whole, {last.data(), unit}) == StoreStatus::kOk;
}

}  // namespace two_copies

// The largest size that save_copy() takes: half of the store without a copy's header.
template <ParameterStore Store>
[[nodiscard]] std::size_t copy_capacity(const Store& store) {
  const std::size_t size = two_copies::copy_size(store);
  const std::size_t header = two_copies::header_size(store);
  return size > header ? size - header : 0;
}

// Where in the store the bytes of the newest copy lie that is whole: for memory that is read in
// place. They begin at a multiple of the write unit.
struct CopyPlace {
  std::size_t offset;
  std::size_t size;
};
template <ParameterStore Store>
[[nodiscard]] etl::optional<CopyPlace> find_copy(Store& store) {
  CopyHeader header;
  const std::size_t copy = two_copies::newest(store, header);
  if (copy == two_copies::kCopies) {
    return etl::nullopt;
  }
  return CopyPlace{copy * two_copies::copy_size(store) + two_copies::header_size(store),
                   header.size};
}

// The newest copy that is whole. `size`: of what was saved; what lies beyond in `into` is left.
template <ParameterStore Store>
[[nodiscard]] CopyStatus load_copy(Store& store, etl::span<std::uint8_t> into, std::size_t& size) {
  const etl::optional<CopyPlace> place = find_copy(store);
  size = 0;
  if (!place.has_value()) {
    return CopyStatus::kNone;
  }
  if (place->size > into.size()) {
    return CopyStatus::kTooLarge;
  }
  size = place->size;
  return store.read(place->offset, into.first(size)) == StoreStatus::kOk
             ? CopyStatus::kOk
             : CopyStatus::kDeviceFailed;
}

// kOk: this is what load_copy() gives from now on. Else it gives what it gave before.
template <ParameterStore Store>
[[nodiscard]] CopyStatus save_copy(Store& store, etl::span<const std::uint8_t> from) {
  TAUT_ASSERT(store.write_unit() <= kLargestWriteUnit, store.write_unit());
  if (from.size() > copy_capacity(store)) {
    return CopyStatus::kTooLarge;
  }
  CopyHeader old{};
  const std::size_t kept = two_copies::newest(store, old);
  const std::size_t copy = kept == 0 ? 1 : 0;
  const std::uint32_t sequence = kept == two_copies::kCopies ? 1 : old.sequence + 1;
  CopyHeader header{kCopyMagic, sequence, static_cast<std::uint32_t>(from.size()), 0};
  two_copies::Crc crc = two_copies::begin_crc(header);
  crc.add(from.begin(), from.end());
  header.crc = crc.value();
  const std::size_t begin = copy * two_copies::copy_size(store);
  const bool is_written =
      store.erase(begin, two_copies::copy_size(store)) == StoreStatus::kOk &&
      two_copies::write_padded(store, begin + two_copies::header_size(store), from) &&
      two_copies::write_padded(store, begin,
                               {reinterpret_cast<const std::uint8_t*>(&header), sizeof header});
  CopyHeader read;
  return is_written && two_copies::is_whole(store, copy, read) ? CopyStatus::kOk
                                                               : CopyStatus::kDeviceFailed;
}

}  // namespace taut::hal
