// What a flood of XCP packets does to a tick of the whole application, in instructions: as many
// packets before every tick as the queue takes, of the commands that cost most, by a master that is
// connected and unlocked, and measures every tick: all measurements, or every entry of the pool. On
// an emulated board with a fixed time per instruction: the same figures in every run.
//
// Fails where a tick handles more packets than hal::xcp::kPacketsPerTick, where the worst flooded
// tick costs more than kMostAboveIdle above the worst without a flood, where a packet is not
// accounted for, and where predictions have other bits than without a flood.
#include <cstring>
#include <new>

#include <etl/array.h>
#include <etl/string.h>
#include <etl/string_stream.h>
#include <etl/string_view.h>

#include "tests/bench/counted_application.h"
#include "tests/unit/twin/sensed_twin.h"

namespace {

using namespace taut;
using namespace taut::bench;
using namespace taut::firmware_test;
namespace xcp = hal::xcp;

constexpr std::uint32_t kTicks = 100;            // of each flood; a tooth passes every 26
constexpr std::int32_t kMostAboveIdle = 28'000;  // 4 packets of 7 000: README of hal

alignas(Counted) std::byte storage[sizeof(Counted)];
bool is_content = true;

void expect(bool holds, etl::string_view otherwise) {
  if (!holds) {
    board::console().write(otherwise);
    board::console().write("\n");
    is_content = false;
  }
}

// What is sent again and again, as many packets as a tick handles.
struct Flood {
  const char* name;
  etl::array<xcp::Packet, xcp::kPacketsPerTick> packets;
};

Flood four_times(const char* name, const xcp::Packet& packet) {
  return {name, {packet, packet, packet, packet}};
}

int low_row(twin::Part part, int row) {
  int first = 0;
  for (const twin::Part before : {twin::Part::kInput, twin::Part::kMeasurement}) {
    first += before < part ? static_cast<int>(twin::entries(before).size()) : 0;
  }
  return first + row;
}

void command(CountedListener& listener, const xcp::Packet& packet) {
  static_cast<void>(listener.port.in().push(packet));
  static_cast<void>(listener.port.serve());
  listener.send();
}

// The list that stimulates has as many elements as there are inputs, in one packet.
constexpr int kElements = sizeof(signal::SensorFrame) / sizeof(std::uint32_t);
// All that is left of the pool's entries, as even as it goes, measured at every tick: as many
// packets as the queue has room for beside the other list's and the responses.
constexpr int kOdts = static_cast<int>(firmware::XcpPort::kQueued - xcp::kReservedForResponses) - 1;
int entries_of(int odt) {
  const int pool = static_cast<int>(xcp::kMaxEntries) - kElements -
                   static_cast<int>(twin::entries(twin::Part::kMeasurement).size());
  return pool / kOdts + (odt < pool % kOdts ? 1 : 0);
}

// Seeds and keys are zeros here.
void unlock(CountedListener& listener, int resource) {
  static_cast<void>(listener.port.challenges().push({}));
  command(listener, {0xF8, 0, resource});
  xcp::Packet key = packet_of({0xF7, static_cast<int>(xcp::kKeyBytes)});
  key.size = 2 + xcp::kKeyBytes;
  command(listener, key);
}

void set_up(CountedListener& listener, bool measures_all) {
  const auto rows = static_cast<int>(twin::entries(twin::Part::kMeasurement).size());
  command(listener, {0xFF, 0});
  unlock(listener, xcp::kResourceCalibration);
  unlock(listener, xcp::kResourceStim);
  command(listener, {0xD6});
  command(listener, {0xD5, 0, static_cast<int>(xcp::kMaxLists), 0});
  command(listener, {0xD4, 0, 0, 0, 1});
  command(listener, {0xD4, 0, 1, 0, 1});
  command(listener, {0xD4, 0, 2, 0, kOdts});
  command(listener, {0xD3, 0, 0, 0, 0, rows});
  command(listener, {0xD3, 0, 1, 0, 0, kElements});
  for (int odt = 0; odt < kOdts; ++odt) {
    command(listener, {0xD3, 0, 2, 0, odt, entries_of(odt)});
  }
  write_measurements(listener, 0);
  command(listener, {0xE2, 0, 1, 0, 0, 0});
  for (int i = 0; i < kElements; ++i) {
    command(listener, {0xE1, 0xFF, 4, 0, 0, low_row(twin::Part::kInput, 1), 0, 0});
  }
  command(listener, {0xE0, xcp::kListIsStim, 1, 0, 0, 0, 1, 0});
  command(listener, {0xDE, 1, 1, 0});
  for (int odt = 0; odt < kOdts; ++odt) {
    command(listener, {0xE2, 0, 2, 0, odt, 0});
    for (int i = 0; i < entries_of(odt); ++i) {
      command(listener, {0xE1, 0xFF, 4, 0, 0, low_row(twin::Part::kMeasurement, 1), 0, 0});
    }
  }
  if (measures_all) {
    command(listener, {0xDE, 1, 2, 0});
  }
}

xcp::Packet longest_stimulus() {
  xcp::Packet packet = packet_of({1});
  packet.size = 1 + sizeof(signal::SensorFrame);
  return packet;
}

xcp::Packet wrong_key() {
  xcp::Packet packet = packet_of({0xF7, static_cast<int>(xcp::kKeyBytes)});
  packet.size = 2 + xcp::kKeyBytes;
  packet.bytes[packet.size - 1] = 1;
  return packet;
}

// What is written is what is there.
xcp::Packet same_calibration() {
  xcp::Packet packet = packet_of({0xED, 4, 0, 0, 0, low_row(twin::Part::kCalibration, 3), 0, 0});
  const float elongation = usual_spec().calibration.elongation;
  std::memcpy(&packet.bytes[packet.size], &elongation, sizeof elongation);
  packet.size = 12;
  return packet;
}

// Of one flood, or of none.
struct Cost {
  std::uint32_t worst;  // instructions of a tick
  std::uint64_t bits;   // hash of all predictions
  std::uint32_t sent;   // packets
  std::uint32_t dropped;
};

// Twice as many before every tick as the queue has room for.
void pour(const Flood& flood, xcp::PacketQueue& in, std::uint32_t& accepted, Cost& cost) {
  for (std::size_t i = 0; i < 2 * firmware::XcpPort::kQueued; ++i) {
    const bool fits = in.push(flood.packets[accepted % xcp::kPacketsPerTick]);
    accepted += fits ? 1 : 0;
    cost.dropped += fits ? 0 : 1;
    ++cost.sent;
  }
}

// What the slow loop does beside it: the log is read, seeds are made.
void run_slow_loop(firmware::XcpPort& port) {
  xcp::WriteRecord record{};
  while (port.log().pop(record)) {
  }
  static_cast<void>(port.challenges().push({}));
}

// From the same state each: a board of its own, from its start.
Cost run(const Flood* flood, bool measures_all) {
  auto* const counted = new (storage) Counted(true);
  counted->application.start(firmware::SelfTest::kPassed);
  for (std::uint32_t i = 0; i < kUntilTracked; ++i) {
    advance(*counted);
  }
  set_up(counted->listener, measures_all);
  firmware::XcpPort& port = counted->listener.port;
  const std::uint32_t handled_before = port.state().counters.handled;
  counted->listener.most_in_a_tick = 0;
  Cost cost{};
  math::Hash64 hash;
  std::uint32_t accepted = 0;
  for (std::uint32_t i = 0; i <= kTicks; ++i) {
    if (flood != nullptr) {
      pour(*flood, port.in(), accepted, cost);
    }
    advance(*counted);
    run_slow_loop(port);
    twin_test::add_to(hash, counted->application.prediction(), model.sprockets);
    if (i > 0) {  // what leaves is the cost of the tick before
      const std::uint32_t instructions = instructions_of(counted->sink.last.tick_cost);
      cost.worst = instructions > cost.worst ? instructions : cost.worst;
    }
  }
  cost.bits = hash.value();
  const std::uint32_t handled = port.state().counters.handled - handled_before;
  expect(handled + cost.dropped + port.in().size() == cost.sent, "packets are not accounted for");
  expect(flood != nullptr || port.state().counters.dto_dropped == 0, "a list is not measured");
  expect(counted->listener.most_in_a_tick <= xcp::kPacketsPerTick,
         "more packets in a tick than the bound");
  return cost;
}

void say(const char* name, const Cost& idle, const Cost& cost) {
  const auto above = static_cast<std::int32_t>(cost.worst - idle.worst);
  etl::string<160> text;
  etl::string_stream out(text);
  out << "flood of " << name << ": worst tick " << cost.worst << " instructions, " << above
      << " above one without; packets sent " << cost.sent << ", dropped " << cost.dropped << "\n";
  board::console().write(text);
  expect(above <= kMostAboveIdle, "a flooded tick costs more than is stated");
  expect(cost.bits == idle.bits, "a flood changes predictions");
}

}  // namespace

int main() {
  if (!make_model()) {
    return 1;
  }
  const int calibrations = low_row(twin::Part::kCalibration, 0);
  static const Flood floods[] = {
      // beside the stack, which is measured
      four_times("GET_STATUS", packet_of({0xFD})),
      four_times("SHORT_UPLOAD of a whole row",
                 packet_of({0xF4, 32, 0, 0, 0, low_row(twin::Part::kMeasurement, 10), 0, 0})),
      four_times("SHORT_UPLOAD of no row", packet_of({0xF4, 4, 0, 0, 0, calibrations + 99, 0, 0})),
      four_times("SHORT_DOWNLOAD", same_calibration()),
      four_times("start of the longest list", packet_of({0xDE, 1, 2, 0})),
      four_times("start of stimulation", packet_of({0xDE, 1, 1, 0})),
      four_times("stimulation", longest_stimulus()),
      {"wrong keys",
       {packet_of({0xFF, 0}), packet_of({0xF8, 0, 1}), wrong_key(), packet_of({0xFF, 0})}},
      {"allocation",
       {packet_of({0xD6}), packet_of({0xD5, 0, 8, 0}), packet_of({0xD4, 0, 0, 0, 32}),
        packet_of({0xD3, 0, 0, 0, 0, 255})}},
  };
  for (const bool measures_all : {false, true}) {
    board::console().write(measures_all ? "every entry of the pool is measured:\n"
                                        : "all measurements are measured:\n");
    const Cost idle = run(nullptr, measures_all);
    say("nothing", idle, idle);
    for (const Flood& flood : floods) {
      say(flood.name, idle, run(&flood, measures_all));
    }
  }
  board::console().write(is_content ? "OK\n" : "FAILED\n");
  return is_content ? 0 : 1;
}
