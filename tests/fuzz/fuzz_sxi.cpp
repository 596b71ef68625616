// The decoder of the serial line under arbitrary bytes, and a good frame after them. What it
// decodes must be a frame that an encoder could have sent.
#include "hal/xcp/sxi_frame.h"
#include "tests/fuzz/fuzz_bench.h"

namespace {

using namespace taut::hal::xcp;
using taut::fuzz::require;

// All packets of the bytes; returns how many.
std::size_t decode_all(SxiDecoder& decoder, etl::span<const std::uint8_t> bytes, Packet& last) {
  std::size_t frames = 0;
  Packet packet{};
  for (std::size_t at = 0;;) {
    at += decode_sxi(decoder, bytes.subspan(at), packet);
    require(at <= bytes.size() && decoder.filled < kMaxSxiFrame);
    if (packet.size == 0) {
      require(at == bytes.size());
      return frames;
    }
    require(packet.size <= kMaxDto);
    last = packet;
    ++frames;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SxiDecoder whole{};
  SxiDecoder bytewise{};
  Packet last{};
  const std::size_t frames = decode_all(whole, {data, size}, last);
  std::size_t frames_bytewise = 0;
  for (std::size_t i = 0; i < size; ++i) {
    frames_bytewise += decode_all(bytewise, {data + i, 1}, last);
  }
  require(frames == frames_bytewise && whole.bytes_skipped == bytewise.bytes_skipped);
  // However the line was left, zeros of a frame's length and then a frame bring it back.
  const std::uint8_t zeros[kMaxSxiFrame] = {};
  static_cast<void>(decode_all(whole, zeros, last));
  const std::uint8_t packet[] = {0xFD, 1, 2};
  SxiFrame frame{};
  const std::size_t bytes = encode_sxi(packet, 1, frame);
  static_cast<void>(decode_all(whole, {frame.data(), bytes}, last));
  require(last.size == sizeof packet && std::memcmp(last.bytes.data(), packet, last.size) == 0);
  return 0;
}
