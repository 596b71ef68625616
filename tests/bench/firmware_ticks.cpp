// What a tick of the whole application costs in steady running, in instructions: sensors' channels,
// observer, reduced chain, outputs and XCP with all measurements at every tick. On an emulated
// board with a fixed time per instruction: the same figures in every run. Fails where the worst
// tick, one with an edge of the crank's wheel, is more than 1.05 times the mean.
#include <new>

#include <etl/string.h>
#include <etl/string_stream.h>

#include "tests/bench/counted_application.h"

namespace {

using namespace taut;
using namespace taut::bench;
using namespace taut::firmware_test;

constexpr std::uint32_t kMeasuredTicks = 4000;
constexpr float kMostUneven = 1.05F;

alignas(Counted) std::byte storage[sizeof(Counted)];

// One list of one packet with every measurement.
void start_measuring(CountedListener& listener) {
  const auto rows = static_cast<int>(twin::entries(twin::Part::kMeasurement).size());
  command(listener, {0xFF, 0});
  command(listener, {0xD6});
  command(listener, {0xD5, 0, 1, 0});
  command(listener, {0xD4, 0, 0, 0, 1});
  command(listener, {0xD3, 0, 0, 0, 0, rows});
  write_measurements(listener, 0);
}

void report(float mean, std::uint32_t worst, std::uint32_t clock_MHz, float cycles) {
  const float load = mean * cycles * 2e3F / (static_cast<float>(clock_MHz) * 1e6F);
  etl::string<160> text;
  etl::string_stream out(text);
  out << etl::setprecision(0) << "tick: mean " << mean << " instructions, worst " << worst << "; "
      << etl::setprecision(1) << 100 * load << " % of " << clock_MHz << " MHz at " << cycles
      << " cycles per instruction\n";
  board::console().write(text);
}

}  // namespace

int main() {
  if (!make_model()) {
    return 1;
  }
  auto* const counted = new (storage) Counted(false);
  counted->application.start(firmware::SelfTest::kPassed);
  for (std::uint32_t i = 0; i < kUntilTracked; ++i) {
    advance(*counted);
  }
  start_measuring(counted->listener);
  std::uint64_t sum = 0;
  std::uint32_t worst = 0;
  for (std::uint32_t i = 0; i <= kMeasuredTicks; ++i) {
    advance(*counted);
    if (i > 0) {  // what leaves is the cost of the tick before
      sum += counted->sink.last.tick_cost;
      worst = counted->sink.last.tick_cost > worst ? counted->sink.last.tick_cost : worst;
    }
  }
  const auto mean = static_cast<float>(instructions_of(sum)) / kMeasuredTicks;
  const std::uint32_t worst_instructions = instructions_of(worst);
  report(mean, worst_instructions, 180, 1.6F);
  report(mean, worst_instructions, 480, 1.0F);
  const bool measured = counted->listener.packets == kMeasuredTicks + 1 &&
                        counted->application.mode() == firmware::Mode::kTrack;
  const bool is_even = static_cast<float>(worst_instructions) <= kMostUneven * mean;
  board::console().write(!measured  ? "not every tick was measured\n"
                         : !is_even ? "the worst tick is too far from the mean\n"
                                    : "OK\n");
  return measured && is_even ? 0 : 1;
}
