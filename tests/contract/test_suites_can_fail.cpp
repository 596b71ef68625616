// Every demand of every suite, held against a device that breaks just this one: a suite that passes
// whatever it is given would show here.
#include <cstring>

#include "unity.h"

#include "hal/fakes/fake_byte_link.h"
#include "hal/fakes/fake_clock.h"
#include "hal/fakes/fake_console.h"
#include "hal/fakes/fake_output_sink.h"
#include "hal/fakes/fake_parameter_store.h"
#include "hal/fakes/fake_sensor_source.h"
#include "hal/fakes/fake_watchdog.h"
#include "tests/contract/byte_link.h"
#include "tests/contract/clock.h"
#include "tests/contract/console.h"
#include "tests/contract/output_sink.h"
#include "tests/contract/parameter_store.h"
#include "tests/contract/sensor_source.h"
#include "tests/contract/watchdog.h"
#include "tests/support/unity_mute.h"

namespace {

using namespace taut;
namespace fakes = hal::fakes;

// Fails where the other test passes. What that has to say is not printed.
template <typename Test>
void expect_failure(Test test) {
  static jmp_buf outer;
  std::memcpy(&outer, &Unity.AbortFrame, sizeof outer);
  taut_test_mute(true);
  if (TEST_PROTECT()) {
    test();
  }
  taut_test_mute(false);
  const bool failed = Unity.CurrentTestFailed != 0;
  Unity.CurrentTestFailed = 0;
  std::memcpy(&Unity.AbortFrame, &outer, sizeof outer);
  TEST_ASSERT_TRUE(failed);
}

// -- Clock

struct ClockFixture {
  fakes::FakeClock device{0, 25'000'000};
  fakes::FakeClock& clock() { return device; }
  void pass(std::uint32_t counts) { device.pass(counts); }
};

struct BackwardClock : ClockFixture {
  struct Device {
    mutable std::uint32_t count = 1'000'000;
    std::uint32_t now() const { return count -= 1; }
    std::uint32_t counts_per_s() const { return 1'000'000; }
  } device;
  Device& clock() { return device; }
};

struct StandingClock : ClockFixture {
  void pass(std::uint32_t /*counts*/) {}
};

struct CoarseClock : ClockFixture {  // of milliseconds
  void pass(std::uint32_t counts) { device.pass((counts / 25'000 + 1) * 25'000); }
};

// Microseconds of a second, that begin again with every second.
struct ClockWithSeam : ClockFixture {
  struct Device {
    std::uint32_t count = 0;
    std::uint32_t now() const { return count % 1'000'000; }
    std::uint32_t counts_per_s() const { return 1'000'000; }
  } device;
  Device& clock() { return device; }
  void pass(std::uint32_t counts) { device.count += counts; }
};

void test_clock() {
  expect_failure(contract::clock_never_runs_back<BackwardClock>);
  expect_failure(contract::clock_counts_what_passes<StandingClock>);
  expect_failure(contract::clock_sees_a_tenth_of_a_tick<CoarseClock>);
  expect_failure(contract::clock_goes_on_from_second_to_second<ClockWithSeam>);
}

// -- Watchdog

template <typename Device>
struct WatchdogOver {
  Device device;
  Device& watchdog() { return device; }
  void pass_ms(std::uint32_t time_ms) { device.pass_ms(time_ms); }
  bool has_reset() const { return device.has_reset_board(); }
};

struct HastyWatchdog : fakes::FakeWatchdog {
  HastyWatchdog() { static_cast<void>(start(10)); }
};
struct HungryWatchdog : fakes::FakeWatchdog {
  void feed() {}
};
struct SleepingWatchdog : fakes::FakeWatchdog {
  void pass_ms(std::uint32_t /*time_ms*/) {}
};
struct BoastingWatchdog : fakes::FakeWatchdog {
  bool start(std::uint32_t /*timeout_ms*/) { return true; }
};

void test_watchdog() {
  expect_failure(contract::watchdog_waits_to_be_started<WatchdogOver<HastyWatchdog>>);
  expect_failure(contract::watchdog_that_is_fed_in_time_is_quiet<WatchdogOver<HungryWatchdog>>);
  expect_failure(
      contract::watchdog_that_is_not_fed_resets_the_board<WatchdogOver<SleepingWatchdog>>);
  expect_failure(contract::watchdog_refuses_what_it_cannot_do<WatchdogOver<BoastingWatchdog>>);
}

// -- Byte link

template <typename Device>
struct LinkOver {
  Device device;
  Device& link() { return device; }
  void send(etl::span<const std::uint8_t> from) { device.send(from); }
  std::size_t receive(etl::span<std::uint8_t> into) { return device.receive(into); }
};

struct InventingLink : fakes::FakeByteLink<> {
  std::size_t read(etl::span<std::uint8_t> into) { return into.empty() ? 0 : into.size(); }
};
struct GreedyLink : fakes::FakeByteLink<> {  // one byte is gone with every call
  std::size_t read(etl::span<std::uint8_t> into) {
    std::uint8_t lost = 0;
    static_cast<void>(FakeByteLink::read({&lost, 1}));
    return FakeByteLink::read(into);
  }
};
struct SwappingLink : fakes::FakeByteLink<> {
  std::size_t read(etl::span<std::uint8_t> into) {
    const std::size_t came = FakeByteLink::read(into);
    for (std::size_t i = 0; i + 1 < came; i += 2) {
      const std::uint8_t first = into[i];
      into[i] = into[i + 1];
      into[i + 1] = first;
    }
    return came;
  }
};
struct OverfullLink : fakes::FakeByteLink<> {
  std::size_t write(etl::span<const std::uint8_t> from) {
    static_cast<void>(FakeByteLink::write(from));
    return from.size();
  }
};
struct SecretiveLink : fakes::FakeByteLink<> {
  std::uint32_t bytes_lost() const { return 0; }
};

void test_byte_link() {
  expect_failure(contract::link_gives_nothing_if_nothing_arrived<LinkOver<InventingLink>>);
  expect_failure(contract::link_takes_and_gives_nothing_of_no_length<LinkOver<GreedyLink>>);
  expect_failure(contract::link_gives_what_arrived_in_order<LinkOver<SwappingLink>>);
  expect_failure(contract::link_carries_all_that_it_takes<LinkOver<OverfullLink>>);
  expect_failure(contract::link_counts_what_it_loses<LinkOver<SecretiveLink>>);
}

// -- Output sink

template <typename Device>
struct SinkOver {
  Device device;
  Device& sink() { return device; }
  bool receive(signal::OutputFrame& frame) { return device.receive(frame); }
};

struct BorrowingSink {  // sends what the caller's frame holds later
  const signal::OutputFrame* frame = nullptr;
  bool write(const signal::OutputFrame& from) {
    frame = &from;
    return true;
  }
  bool receive(signal::OutputFrame& into) {
    if (frame == nullptr) {
      return false;
    }
    into = *frame;
    frame = nullptr;
    return true;
  }
};
struct BoastingSink : fakes::FakeOutputSink<> {
  bool write(const signal::OutputFrame& frame) {
    static_cast<void>(FakeOutputSink::write(frame));
    return true;
  }
};

void test_output_sink() {
  expect_failure(contract::sink_sends_the_frame_whole<SinkOver<BorrowingSink>>);
  expect_failure(contract::sink_keeps_what_it_takes<SinkOver<BoastingSink>>);
}

// -- Sensor source

template <typename Device>
struct SourceOver {
  Device device;
  Device& source() { return device; }
  void measure(hal::RawReading hal::RawReadings::*sensor, float value) {
    device.measure(sensor, value);
  }
  void pass_edge(signal::Edge edge) { device.pass_edge(edge); }
};

struct UncountingSource : fakes::FakeSensorSource {
  void read(hal::RawReadings& readings) const {
    FakeSensorSource::read(readings);
    readings.tightener_position.sequence = 0;
  }
};
struct RestlessSource : fakes::FakeSensorSource {  // every look is a measurement
  mutable std::uint32_t looks = 0;
  void read(hal::RawReadings& readings) const {
    FakeSensorSource::read(readings);
    readings.link_force.sequence += looks++;
  }
};
struct RepeatingSource : fakes::FakeSensorSource {
  signal::SensorFrame last{};
  void take_edges(signal::SensorFrame& frame) {
    FakeSensorSource::take_edges(frame);
    frame = frame.edges == 0 && last.edges != 0 ? last : frame;
    last = frame;
  }
};
struct SecretiveSource : fakes::FakeSensorSource {
  void take_edges(signal::SensorFrame& frame) {
    FakeSensorSource::take_edges(frame);
    frame.edges_lost = 0;
  }
};

void test_sensor_source() {
  expect_failure(
      contract::source_counts_each_measurement_of_each_sensor<SourceOver<UncountingSource>>);
  expect_failure(contract::source_gives_the_newest_measurement_again<SourceOver<RestlessSource>>);
  expect_failure(
      contract::source_gives_each_edge_once_and_in_its_tick<SourceOver<RepeatingSource>>);
  expect_failure(contract::source_counts_edges_that_find_no_room<SourceOver<SecretiveSource>>);
}

// -- Parameter store

template <typename Device>
struct StoreOver {
  Device device;
  Device& store() { return device; }
};

using Store = fakes::FakeParameterStore<>;
using Bytes = etl::span<const std::uint8_t>;

struct OddStore : Store {
  std::size_t erase_unit() const { return 250; }
};
struct ShiftedStore : Store {
  hal::StoreStatus read(std::size_t offset, etl::span<std::uint8_t> into) const {
    return Store::read(offset == 0 ? 0 : offset - 1, into);
  }
};
struct EmptyingStore : Store {
  hal::StoreStatus erase(std::size_t /*offset*/, std::size_t /*size*/) {
    return Store::erase(0, size_all());
  }
  std::size_t size_all() const { return Store::size(); }
};
struct OverwritingStore : Store {
  hal::StoreStatus write(std::size_t offset, Bytes from) {
    const std::size_t unit = offset / erase_unit() * erase_unit();
    static_cast<void>(erase(unit, erase_unit()));
    return Store::write(offset, from);
  }
};
struct WrappingStore : Store {  // goes on at its begin
  hal::StoreStatus read(std::size_t offset, etl::span<std::uint8_t> into) const {
    return Store::read(offset % size(), into);
  }
};
struct RoundingStore : Store {
  hal::StoreStatus erase(std::size_t offset, std::size_t size) {
    const std::size_t from = offset / erase_unit() * erase_unit();
    return Store::erase(from, (size + erase_unit() - 1) / erase_unit() * erase_unit());
  }
};

void test_parameter_store() {
  expect_failure(contract::store_has_sizes_that_fit_each_other<StoreOver<OddStore>>);
  expect_failure(contract::store_reads_what_was_written<StoreOver<ShiftedStore>>);
  expect_failure(contract::store_erases_what_it_is_told_to<StoreOver<EmptyingStore>>);
  expect_failure(contract::store_writes_over_nothing<StoreOver<OverwritingStore>>);
  expect_failure(contract::store_refuses_what_is_outside<StoreOver<WrappingStore>>);
  expect_failure(contract::store_refuses_parts_of_units<StoreOver<RoundingStore>>);
}

// -- Console

struct TruncatingConsole {
  struct Device : fakes::FakeConsole<> {
    void write(etl::string_view text) { FakeConsole::write(text.substr(0, 5)); }
  } device;
  Device& console() { return device; }
  const char* text() const { return device.text(); }
};

void test_console() {
  expect_failure(contract::console_shows_all_in_order<TruncatingConsole>);
}

// Of the method itself: what is in order is not taken for a failure.
void test_a_good_device_does_not_fail() {
  taut_test_mute(false);
  contract::clock_never_runs_back<ClockFixture>();
  contract::clock_counts_what_passes<ClockFixture>();
  contract::store_refuses_what_is_outside<StoreOver<Store>>();
  contract::link_counts_what_it_loses<LinkOver<fakes::FakeByteLink<>>>();
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_clock);
  RUN_TEST(test_watchdog);
  RUN_TEST(test_byte_link);
  RUN_TEST(test_output_sink);
  RUN_TEST(test_sensor_source);
  RUN_TEST(test_parameter_store);
  RUN_TEST(test_console);
  RUN_TEST(test_a_good_device_does_not_fail);
  return UNITY_END();
}
