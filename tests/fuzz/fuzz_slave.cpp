// The slave under arbitrary packets: an input is packets, each behind a byte with its length; a
// length of 255 is the border of two ticks. A third of the inputs begin connected and unlocked.
#include "tests/fuzz/fuzz_bench.h"

namespace {

using taut::fuzz::FuzzBench;

void play(FuzzBench& bench, const std::uint8_t* data, std::size_t size) {
  for (std::size_t at = 0; at < size;) {
    const std::size_t length = data[at++];
    if (length == 255) {
      bench.tick();
      continue;
    }
    const std::size_t taken = length < size - at ? length : size - at;
    bench.handle({data + at, taken});
    at += taken;
  }
  bench.tick();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static FuzzBench bench;
  bench.calibration = {};
  bench.frame = {};
  taut::hal::xcp::init(bench.model, bench.images, bench.state);
  if (size > 0 && data[0] % 3 == 0) {
    bench.state.is_connected = true;
    bench.state.unlocked = taut::hal::xcp::kResourceCalibration | taut::hal::xcp::kResourceStim;
  }
  if (size > 1) {
    play(bench, data + 1, size - 1);
  }
  return 0;
}
