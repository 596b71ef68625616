// XCP packets over a serial link: frames of hal/xcp/sxi_frame.h between a hal::ByteLink and the
// queues of a slave. The slow loop's; does not block.
#pragma once

#include <cstddef>
#include <cstdint>

#include <etl/array.h>

#include "hal/byte_link.h"
#include "hal/xcp/packet.h"
#include "hal/xcp/sxi_frame.h"

namespace taut::firmware {

template <hal::ByteLink Link>
class SxiTransport {
 public:
  explicit SxiTransport(Link& link) : link_(link) {}

  // The next packet, if all of it has arrived and the queue has room; the rest waits on the link.
  // One at a time: in lock-step a frame's tick comes before the frame after it.
  bool receive(hal::xcp::PacketQueue& in) {
    for (std::size_t i = 0; i < kReadsACall && !in.full(); ++i) {
      if (taken_ == arrived_) {
        taken_ = 0;
        arrived_ = link_.read(bytes_);
        if (arrived_ == 0) {
          return false;
        }
      }
      taken_ +=
          hal::xcp::decode_sxi(decoder_, {bytes_.data() + taken_, arrived_ - taken_}, packet_);
      if (packet_.size > 0) {
        return in.push(packet_);
      }
    }
    return false;
  }

  // Until the queue is empty or the link takes no more. True: something still waits.
  bool send(hal::xcp::PacketQueue& out) {
    for (;;) {
      if (sent_ == size_) {
        if (!out.pop(packet_)) {
          return false;
        }
        sent_ = 0;
        size_ = hal::xcp::encode_sxi(hal::xcp::content(packet_), counter_++, frame_);
      }
      const std::size_t taken = link_.write({frame_.data() + sent_, size_ - sent_});
      sent_ += taken;
      if (sent_ < size_) {
        return true;
      }
    }
  }

  [[nodiscard]] const hal::xcp::SxiDecoder& decoder() const { return decoder_; }

 private:
  static constexpr std::size_t kReadsACall = 8;

  Link& link_;
  hal::xcp::Packet packet_{};
  // of what arrives
  etl::array<std::uint8_t, 64> bytes_{};
  std::size_t arrived_ = 0;
  std::size_t taken_ = 0;
  hal::xcp::SxiDecoder decoder_{};
  // of what leaves
  hal::xcp::SxiFrame frame_{};
  std::size_t size_ = 0;
  std::size_t sent_ = 0;
  std::uint16_t counter_ = 0;
};

}  // namespace taut::firmware
