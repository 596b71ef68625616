// Datagrams: an input is one of them, played against a slave that is connected and, but for what
// the datagram itself asks for, locked. Nothing may be written.
#include "hal/xcp/udp_frame.h"
#include "tests/fuzz/fuzz_bench.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace taut::hal::xcp;
  static taut::fuzz::FuzzBench bench;
  bench.calibration = {};
  bench.frame = {};
  init(bench.model, bench.images, bench.state);
  bench.state.is_connected = true;
  Packet packet{};
  for (std::size_t at = 0;;) {
    const std::size_t before = at;
    const UdpRead read = decode_udp({data, size}, at, packet);
    taut::fuzz::require(at > before || size == before);
    if (!read.has_packet) {
      taut::fuzz::require(at == size);
      break;
    }
    bench.handle(content(packet));
    bench.tick();
  }
  return 0;
}
