// What a tick of the whole application costs in steady running, in instructions: sensors' channels,
// observer, reduced chain, outputs and XCP with all measurements at every tick. On an emulated
// board with a fixed time per instruction: the same figures in every run. Fails where the worst
// tick, one with an edge of the crank's wheel, is more than 1.05 times the mean.
#include <new>

#include <etl/string.h>
#include <etl/string_stream.h>

#include "board.h"
#include "firmware/xcp_port.h"
#include "sim_core/twin/table.h"
#include "tests/unit/firmware/running_engine.h"

namespace {

using namespace taut;
using namespace taut::firmware_test;
namespace xcp = hal::xcp;

constexpr std::uint32_t kMeasuredTicks = 4000;
constexpr float kMostUneven = 1.05F;

// Takes off the queue what a transport would send.
struct Listener {
  void before_tick(twin::Calibration& calibration) { port.before_tick(calibration); }
  void after_tick(const signal::SensorFrame& frame, const signal::Prediction& prediction) {
    port.after_tick(frame, prediction);
  }
  void send() {
    xcp::Packet packet;
    while (port.out().pop(packet)) {
      packets += packet.size > sizeof(signal::Prediction) ? 1 : 0;
    }
  }
  firmware::XcpPort port{"taut", {}, false};
  std::uint32_t packets = 0;
};

using CountedPorts =
    firmware::Ports<EngineSource, LastFrame, board::Clock, hal::fakes::FakeWatchdog, Listener>;

struct Counted {
  EngineSource source;
  LastFrame sink;
  board::Clock clock;
  hal::fakes::FakeWatchdog watchdog;
  Listener listener;
  firmware::Application<Chain, CountedPorts> application{
      usual_spec(), model, {source, sink, clock, watchdog, listener}};
};

alignas(Counted) std::byte storage[sizeof(Counted)];

template <std::size_t n>
void command(Listener& listener, const std::uint8_t (&bytes)[n]) {
  xcp::Packet packet{};
  packet.size = n;
  for (std::size_t i = 0; i < n; ++i) {
    packet.bytes[i] = bytes[i];
  }
  static_cast<void>(listener.port.in().push(packet));
  listener.port.serve();
  listener.send();
}

// One list of one packet with every measurement.
void start_measuring(Listener& listener) {
  const auto rows = twin::entries(twin::Part::kMeasurement);
  command(listener, {0xFF, 0});
  command(listener, {0xD6});
  command(listener, {0xD5, 0, 1, 0});
  command(listener, {0xD4, 0, 0, 0, 1});
  command(listener, {0xD3, 0, 0, 0, 0, static_cast<std::uint8_t>(rows.size())});
  command(listener, {0xE2, 0, 0, 0, 0, 0});
  const auto first = static_cast<std::uint8_t>(twin::entries(twin::Part::kInput).size());
  for (std::uint8_t i = 0; i < rows.size(); ++i) {
    const auto size = static_cast<std::uint8_t>(xcp::size_of(rows[i]));
    command(listener, {0xE1, 0xFF, size, 0, 0, static_cast<std::uint8_t>(first + i), 0, 0});
  }
  command(listener, {0xE0, xcp::kListHasTimestamp, 0, 0, 0, 0, 1, 0});
  command(listener, {0xDE, 1, 0, 0});
}

void advance(Counted& counted) {
  counted.source.turn();
  if (counted.application.pass_border_from_interrupt()) {
    counted.application.run_tick();
  }
  counted.listener.send();
  counted.application.serve();
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
  auto* const counted = new (storage) Counted;
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
  // A count of the clock is 40 ns, an instruction 64 ns.
  const auto mean = static_cast<float>(sum) * 40 / 64 / kMeasuredTicks;
  const auto worst_instructions = worst * 40 / 64;
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
