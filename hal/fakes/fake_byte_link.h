// A link whose far end is at hand: what it sends is received there, what is sent there arrives.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/queue.h>
#include <etl/span.h>

#include "hal/byte_link.h"

namespace taut::hal::fakes {

template <std::size_t kCapacity = 64>
class FakeByteLink {
 public:
  [[nodiscard]] std::size_t read(etl::span<std::uint8_t> into) { return move(arrived_, into); }

  [[nodiscard]] std::size_t write(etl::span<const std::uint8_t> from) {
    return append(from, leaving_);
  }

  [[nodiscard]] std::uint32_t bytes_lost() const { return bytes_lost_; }

  // The far end.
  void send(etl::span<const std::uint8_t> from) {
    bytes_lost_ += static_cast<std::uint32_t>(from.size() - append(from, arrived_));
  }
  [[nodiscard]] std::size_t receive(etl::span<std::uint8_t> into) { return move(leaving_, into); }

 private:
  using Queue = etl::queue<std::uint8_t, kCapacity>;

  static std::size_t append(etl::span<const std::uint8_t> from, Queue& queue) {
    std::size_t taken = 0;
    for (; taken < from.size() && !queue.full(); ++taken) {
      queue.push(from[taken]);
    }
    return taken;
  }

  static std::size_t move(Queue& queue, etl::span<std::uint8_t> into) {
    std::size_t moved = 0;
    for (; moved < into.size() && !queue.empty(); ++moved) {
      into[moved] = queue.front();
      queue.pop();
    }
    return moved;
  }

  Queue arrived_;
  Queue leaving_;
  std::uint32_t bytes_lost_ = 0;
};
static_assert(ByteLink<FakeByteLink<>>);

}  // namespace taut::hal::fakes
