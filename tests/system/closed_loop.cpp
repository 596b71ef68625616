// The closed loop: a virtual bench stimulates the firmware on an emulated board by XCP, tick by
// tick, and judges what it predicts. The same frames go through the same application on this PC:
// every prediction of the board must have the same bits.
//
//   closed_loop MACHINE IMAGE [uart TICKS]
//
// By pipes: more than 20 turns of 6S90MC-C from rest, the 6th order, and an accelerometer that
// fails in the middle. By UART: the first ticks of the same.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <deque>
#include <iostream>
#include <memory>
#include <stdexcept>

#include "boards/mps2/emulators_secret.h"
#include "firmware/application.h"
#include "hal/fakes/fake_clock.h"
#include "hal/fakes/fake_watchdog.h"
#include "host_tools/emulator/emulated_board.h"
#include "host_tools/emulator/stimulus.h"
#include "host_tools/emulator/temporary_folder.h"
#include "host_tools/taut/board_flash.h"
#include "host_tools/taut/rig_options.h"
#include "host_tools/taut/trace_comparison.h"
#include "host_tools/taut/twin_machine.h"
#include "sim_core/math/constants.h"
#include "tests/system/judged.h"
#include "tests/system/packed_block.h"

namespace {

using namespace taut;
using namespace taut::emulator;
using namespace taut::system_test;

constexpr double kRunUp_s = 4;
constexpr double kRun_s = 20;  // 22.8 turns
constexpr double kFaultAt_s = 13;
constexpr double kFaultUntil_s = 14;
// Frames on their way: the bench computes one while the board does another.
constexpr std::size_t kAhead = 8;

rig::RigSpec bench() {
  tool::RigOptions options;
  options.rest.drive.drive = "6s90mc-c";
  options.start = "rest";
  options.run_up_s = kRunUp_s;
  options.order = 6;
  options.accel_amplitude_rad_s2 = 5;
  rig::RigSpec spec = tool::make_rig_spec(options);
  spec.faults.push_back(
      {rig::Sensor::kCrankAcceleration, rig::FaultKind::kOff, 0, kFaultAt_s, kFaultUntil_s});
  return spec;
}

// Which link has the gauge: a twin knows where its chain is since the crank's angle was first
// known.
std::uint32_t gauge_link(const rig::RigSpec& spec, tool::TwinMachine<twin::ReducedChain>& machine) {
  rig::Rig rig(spec);
  tool::LinkFinder<twin::ReducedChain> finder(machine);
  while (!finder.is_done() && rig.time_s() < kFaultAt_s) {
    tool::tick(rig.advance().frame, machine);
    if ((machine.prediction.health & signal::kNotSettled) == 0) {
      finder.add(machine);
    }
  }
  return finder.link();
}

std::unique_ptr<firmware::TwinBlock> block_for(const rig::RigSpec& spec,
                                               const TemporaryFolder& folder) {
  const std::string path = folder.file("reduced.tautblock");
  write_packed_block(spec.drive, path);
  const auto machine = tool::make_twin<twin::ReducedChain>(spec, path);
  machine->state.calibration.tagged_link = gauge_link(spec, *machine);
  return tool::twin_block_of(spec.drive, *machine);
}

// What the board does, on this PC.
struct FrameSource {
  void read(hal::RawReadings& readings) const {
    readings = {raw.crank_acceleration_rad_s2, raw.link_force_N, raw.tightener_acceleration_m_s2,
                raw.tightener_position_m};
  }
  void take_edges(signal::SensorFrame& frame) const {
    frame.edges = raw.edges;
    frame.edge = raw.edge;
    frame.edges_lost = raw.edges_lost;
  }
  rig::RawFrame raw;
};

struct NoOutputs {
  bool write(const signal::OutputFrame& /*frame*/) { return true; }
};

using ReplayPorts = firmware::Ports<FrameSource, NoOutputs, hal::fakes::FakeClock,
                                    hal::fakes::FakeWatchdog, firmware::NoListener>;

struct Replay {
  explicit Replay(const firmware::TwinBlock& block)
      : application(spec_of(block), block.model, {source, outputs, clock, watchdog, listener}) {
    application.start(firmware::SelfTest::kPassed);
  }

  static firmware::ApplicationSpec spec_of(const firmware::TwinBlock& block) {
    firmware::ApplicationSpec spec{};
    spec.channels = block.channels;
    spec.calibration = block.calibration;
    return spec;
  }

  const signal::Prediction& tick(const rig::RawFrame& raw) {
    source.raw = raw;
    if (application.pass_border_from_interrupt()) {
      application.run_tick();
    }
    return application.prediction();
  }

  FrameSource source{};
  NoOutputs outputs;
  hal::fakes::FakeClock clock{0, 1'000'000};
  hal::fakes::FakeWatchdog watchdog;
  firmware::NoListener listener;
  firmware::Application<twin::ReducedChain, ReplayPorts> application;
};

// A quantity as predicted and as it is, a value a tick.
struct Trace {
  std::vector<float> told, truth;

  // Of times in [from, until).
  [[nodiscard]] tool::TraceComparison between(double from_s, double until_s) const {
    const auto tick = [](double time_s) {
      return static_cast<std::size_t>(std::llround(time_s / signal::kTick_s));
    };
    const std::size_t end = std::min(tick(until_s), told.size());
    const std::vector<float> some(told.begin(), told.begin() + static_cast<std::ptrdiff_t>(end));
    return tool::compare(some, truth, tick(from_s));
  }
};

struct Judge {
  void add(const signal::Prediction& prediction, const rig::Truth& truth) {
    const signal::Trust trust = signal::trust_of(prediction.health);
    ++ticks_by_trust.at(static_cast<std::size_t>(trust));
    if (first_valid_s == 0 && trust == signal::Trust::kValid) {
      first_valid_s = truth.time_s;
    }
    const bool fault_lasts = truth.time_s > kFaultAt_s + kBridge_s && truth.time_s < kFaultUntil_s;
    unflagged += fault_lasts && trust == signal::Trust::kValid ? 1 : 0;
    last_trust = trust;
    turns += truth.crank.speed_rad_s * signal::kTick_s / math::kTwoPi<double>;
    link_N.told.push_back(prediction.tagged_link_N);
    link_N.truth.push_back(truth.chain.tagged_link_N);
    position_m.told.push_back(prediction.tightener_position_m);
    position_m.truth.push_back(static_cast<float>(truth.tightener_position_m));
    speed_rad_s.told.push_back(prediction.crank_speed_rad_s);
    speed_rad_s.truth.push_back(static_cast<float>(truth.crank.speed_rad_s));
  }

  void expect(bool holds, const char* what) {
    if (!holds) {
      std::printf("FAILED: %s\n", what);
      is_content = false;
    }
  }

  // Bounds as for a twin on the PC (test_taut_twin.py).
  void judge_between(const char* when, double from_s, double until_s, bool is_bound) {
    const tool::TraceComparison link = link_N.between(from_s, until_s);
    const tool::TraceComparison arm = position_m.between(from_s, until_s);
    const tool::TraceComparison speed = speed_rad_s.between(from_s, until_s);
    std::printf(
        "%s, %.1f to %.1f s: link force %.1f kN, bias %.2f, error below 20 Hz %.2f, correlation "
        "%.3f; tightener's place, correlation %.3f; crank speed, rms error %.4f rad/s\n",
        when, from_s, until_s, link.mean / 1e3, link.bias / 1e3, link.slow_rms / 1e3,
        link.correlation, arm.correlation, speed.rms);
    if (is_bound) {
      expect(std::abs(link.bias) < 0.05 * link.mean, "mean of the link's force within 5 %");
      expect(link.slow_rms < 0.15 * link.mean, "its error below 20 Hz within 15 % of the mean");
      expect(link.correlation > 0.9, "correlation of the link's force above 0.9");
      expect(arm.correlation > 0.9, "correlation of the tightener's place above 0.9");
      expect(speed.rms < 0.005, "crank speed within 0.005 rad/s");
    }
  }

  void judge_all() {
    std::printf("turns %.1f; ticks valid %zu, degraded %zu, invalid %zu\n", turns,
                ticks_by_trust[0], ticks_by_trust[1], ticks_by_trust[2]);
    judge_between("before the fault", first_valid_s, kFaultAt_s, true);
    judge_between("without accelerometer", kFaultAt_s, kFaultUntil_s, false);
    judge_between("after it", kFaultUntil_s, kFaultUntil_s + kForgets_s, false);
    judge_between("and then", kFaultUntil_s + kForgets_s, kRun_s, true);
    expect(turns >= 20, "20 turns");
    expect(first_valid_s > 0, "predictions become valid");
    expect(unflagged == 0, "no prediction is called valid while the accelerometer is off");
    expect(last_trust == signal::Trust::kValid, "valid again after the fault");
  }

  // What a channel bridges before it says that its sensor is gone.
  static constexpr double kBridge_s = 0.04;
  // What a chain needs after it was moved wrongly: see twin::kSettlingTicks.
  static constexpr double kForgets_s = 2;

  bool is_content = true;
  std::array<std::size_t, 3> ticks_by_trust{};
  double first_valid_s = 0;
  std::size_t unflagged = 0;
  signal::Trust last_trust = signal::Trust::kInvalid;
  double turns = 0;
  Trace link_N, position_m, speed_rad_s;
};

// Takes the board's oldest prediction that is on its way, and compares its bytes.
void take(XcpMaster& master, std::deque<signal::Prediction>& expected, std::size_t& compared) {
  const Packet got = master.measured();
  const signal::Prediction& wanted = expected.front();
  if (got.size() != sizeof wanted || std::memcmp(got.data(), &wanted, sizeof wanted) != 0) {
    throw std::runtime_error("tick " + std::to_string(compared) +
                             ": the board's prediction has other bits than this PC's");
  }
  expected.pop_front();
  ++compared;
}

int run(const std::string& machine, const std::string& image, Line line, std::size_t ticks) {
  const rig::RigSpec spec = bench();
  const TemporaryFolder folder;
  const auto block = block_for(spec, folder);
  const std::string flash = folder.file("flash");
  tool::write_flash(flash, *block, true);
  const auto replay = std::make_unique<Replay>(*block);
  rig::Rig rig(spec);
  EmulatedBoard board(machine, image, flash, line);
  XcpMaster master(board.from_board(), board.to_board(), [&] { return board.is_running(); });
  master.connect();
  master.unlock(hal::xcp::kResourceStim, mps2::kEmulatorsSecret);
  master.start_lists(stimulated(), all_measurements());
  Judge judge;
  std::deque<signal::Prediction> expected;
  std::size_t compared = 0;
  for (std::size_t i = 0; i < ticks; ++i) {
    const rig::Rig::Tick& tick = rig.advance();
    master.stimulate(to_packet(tick.frame));
    expected.push_back(replay->tick(tick.frame));
    judge.add(expected.back(), tick.truth);
    while (expected.size() >= kAhead) {
      take(master, expected, compared);
    }
  }
  while (!expected.empty()) {
    take(master, expected, compared);
  }
  std::cout << machine << ": " << compared << " predictions with the same bits as on this PC\n"
            << board.end();
  if (line == Line::kUart) {
    return 0;
  }
  judge.judge_all();
  return judge.is_content ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const bool by_uart = argc == 5 && std::strcmp(argv[3], "uart") == 0;
  if (argc != 3 && !by_uart) {
    std::cerr << "usage: closed_loop MACHINE IMAGE [uart TICKS]\n";
    return 2;
  }
  const auto all = static_cast<std::size_t>(std::llround(kRun_s / signal::kTick_s));
  return judged(argv[2], [&] {
    return run(argv[1], argv[2], by_uart ? Line::kUart : Line::kPipes,
               by_uart ? std::stoul(argv[4]) : all);
  });
}
