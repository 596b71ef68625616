// The whole application with XCP in every tick, as a board has it: what images share that count the
// instructions of its ticks. A master measures everything at every tick.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <etl/span.h>

#include "board.h"
#include "firmware/xcp_port.h"
#include "sim_core/twin/table.h"
#include "tests/unit/firmware/running_engine.h"

namespace taut::bench {

// Takes off the queue what a transport would send.
struct CountedListener {
  void before_tick(twin::Calibration& calibration) {
    std::size_t taken = port.serve();
#ifdef TAUT_WITHOUT_BOUND  // to show that it is seen
    while (!port.in().empty()) {
      taken += port.serve();
    }
#endif
    most_in_a_tick = taken > most_in_a_tick ? taken : most_in_a_tick;
    port.before_tick(calibration);
  }
  void after_tick(const signal::SensorFrame& frame, const signal::Prediction& prediction) {
    port.after_tick(frame, prediction);
  }
  void send() {
    hal::xcp::Packet packet;
    while (port.out().pop(packet)) {
      packets += packet.size > sizeof(signal::Prediction) ? 1 : 0;
    }
  }
  firmware::XcpPort port;
  std::uint32_t packets = 0;  // that hold a prediction
  std::size_t most_in_a_tick = 0;
};

using CountedPorts = firmware::Ports<firmware_test::EngineSource, firmware_test::LastFrame,
                                     board::Clock, hal::fakes::FakeWatchdog, CountedListener>;

struct Counted {
  explicit Counted(bool is_source_of_inputs)
      : listener{{"taut", firmware_test::usual_spec().calibration, is_source_of_inputs}} {}

  firmware_test::EngineSource source;
  firmware_test::LastFrame sink;
  board::Clock clock;
  hal::fakes::FakeWatchdog watchdog;
  CountedListener listener;
  firmware::Application<firmware_test::Chain, CountedPorts> application{
      firmware_test::usual_spec(), firmware_test::model, {source, sink, clock, watchdog, listener}};
};

inline void advance(Counted& counted) {
  counted.source.turn();
  if (counted.application.pass_border_from_interrupt()) {
    counted.application.run_tick();
  }
  counted.listener.send();
  counted.application.serve();
}

// A count of the clock is 40 ns, an instruction 64 ns: run_in_qemu.sh.
[[nodiscard]] constexpr std::uint32_t instructions_of(std::uint64_t counts) {
  return static_cast<std::uint32_t>(counts * 40 / 64);
}

[[nodiscard]] inline hal::xcp::Packet packet_of(std::initializer_list<int> bytes) {
  hal::xcp::Packet packet{};
  for (const int byte : bytes) {
    packet.bytes[packet.size++] = static_cast<std::uint8_t>(byte);
  }
  return packet;
}

// Between ticks.
inline void command(CountedListener& listener, std::initializer_list<int> bytes) {
  static_cast<void>(listener.port.in().push(packet_of(bytes)));
  static_cast<void>(listener.port.serve());
  listener.send();
}

// The list, of one packet, gets every measurement; it must have been allocated.
inline void write_measurements(CountedListener& listener, int list) {
  const auto rows = twin::entries(twin::Part::kMeasurement);
  const auto first = static_cast<int>(twin::entries(twin::Part::kInput).size());
  command(listener, {0xE2, 0, list, 0, 0, 0});
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const auto size = static_cast<int>(hal::xcp::size_of(rows[static_cast<std::size_t>(i)]));
    command(listener, {0xE1, 0xFF, size, 0, 0, first + i, 0, 0});
  }
  command(listener, {0xE0, hal::xcp::kListHasTimestamp, list, 0, 0, 0, 1, 0});
  command(listener, {0xDE, 1, list, 0});
}

}  // namespace taut::bench
