#include "host_tools/taut/rt_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include <etl/queue_spsc_atomic.h>

#include "board.h"
#include "boards/linux_pc/kernel_entropy.h"
#include "boards/linux_pc/real_time.h"
#include "boards/linux_pc/xcp_listener.h"
#include "hal/xcp/seed_key.h"
#include "host_tools/taut/cyclictest.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/twin_log.h"
#include "host_tools/taut/twin_machine.h"

namespace taut::tool {
namespace {

// A quarter of a second ahead: a bench that is not in real time is held up now and then.
using FrameQueue = etl::queue_spsc_atomic<rig::RawFrame, 512>;

// The tick's own: frames that somebody makes ahead, or what comes by XCP.
class RtSource {
 public:
  RtSource(FrameQueue& queue, const firmware::XcpPort* xcp) : queue_(queue), xcp_(xcp) {}

  void read(hal::RawReadings& readings) {
    if (xcp_ != nullptr) {
      xcp_->read(readings);
      return;
    }
    // A tick without a frame has no edges, and the last readings once more.
    if (!queue_.pop(frame_)) {
      frame_.edges = 0;
      ++starved_;
    }
    readings = {frame_.crank_acceleration_rad_s2, frame_.link_force_N,
                frame_.tightener_acceleration_m_s2, frame_.tightener_position_m};
  }
  void take_edges(signal::SensorFrame& frame) const {
    if (xcp_ != nullptr) {
      xcp_->take_edges(frame);
      return;
    }
    frame.edges = frame_.edges;
    frame.edge = frame_.edge;
    frame.edges_lost = frame_.edges_lost;
  }
  [[nodiscard]] std::uint64_t starved() const { return starved_; }

 private:
  FrameQueue& queue_;
  const firmware::XcpPort* xcp_;
  rig::RawFrame frame_{};
  std::uint64_t starved_ = 0;
};

// Outputs go by XCP and into the log; this PC has no converter.
struct NoOutputs {
  bool write(const signal::OutputFrame& /*frame*/) { return true; }
};

// A process that stands still is the system's affair.
struct NoWatchdog {
  bool start(std::uint32_t /*timeout_ms*/) { return true; }
  void feed() {}
  [[nodiscard]] bool has_reset_board() const { return false; }
};

struct Recorded {
  signal::SensorFrame frame;
  signal::Prediction prediction;
};

// XCP and the recorder, in every tick.
struct RtListener {
  void before_tick(twin::Calibration& calibration) { xcp.before_tick(calibration); }
  void after_tick(const signal::SensorFrame& frame, const signal::Prediction& prediction) {
    xcp.after_tick(frame, prediction);
    if (is_recording && !recorded.push({frame, prediction})) {
      ++not_recorded;
    }
  }

  board::XcpListener xcp;
  etl::queue_spsc_atomic<Recorded, 4096> recorded{};
  bool is_recording = false;
  std::uint64_t not_recorded = 0;
};

using RtPorts = firmware::Ports<RtSource, NoOutputs, board::Clock, NoWatchdog, RtListener>;

// Makes frames ahead of the ticks that take them.
class Feeder {
 public:
  Feeder(const RtRequest& request, FrameQueue& queue) : queue_(queue) {
    if (request.source == kRigSource) {
      rig_ = std::make_unique<rig::Rig>(request.rig);
    } else if (request.source == kLogSource) {
      log_ = read_log(request.from_log);
    } else {
      return;
    }
    while (!queue_.full() && make_one()) {
    }
    thread_ = std::thread([this] { run(); });
  }
  Feeder(const Feeder&) = delete;
  Feeder& operator=(const Feeder&) = delete;
  ~Feeder() {
    is_ending_.store(true);
    if (thread_.joinable()) {
      thread_.join();
    }
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] bool is_at_end() const { return is_at_end_.load(); }

 private:
  void run() {
    try {
      while (!is_ending_.load() && !is_at_end_.load()) {
        if (queue_.full()) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        } else {
          is_at_end_.store(!make_one());
        }
      }
    } catch (const std::exception& error) {
      problem_ = error.what();
      is_at_end_.store(true);
    }
  }

  bool make_one() {
    if (rig_) {
      return queue_.push(rig_->advance().frame);
    }
    return at_ < log_.rows.size() && queue_.push(raw(log_.rows[at_++].frame));
  }

  // What was measured, as it came: a sample that was replaced is one that did not come.
  rig::RawFrame raw(const signal::SensorFrame& frame) {
    const auto reading = [](const signal::Sample& sample, rig::RawReading& last) {
      if (sample.quality == signal::Quality::kGood) {
        last = {sample.value, sample.sequence};
      }
    };
    reading(frame.crank_acceleration_rad_s2, raw_.crank_acceleration_rad_s2);
    reading(frame.link_force_N, raw_.link_force_N);
    reading(frame.tightener_acceleration_m_s2, raw_.tightener_acceleration_m_s2);
    reading(frame.tightener_position_m, raw_.tightener_position_m);
    raw_.edges = frame.edges;
    raw_.edge = frame.edge;
    raw_.edges_lost = frame.edges_lost;
    return raw_;
  }

  FrameQueue& queue_;
  std::unique_ptr<rig::Rig> rig_;
  TwinLog log_;
  std::size_t at_ = 0;
  rig::RawFrame raw_{};
  std::string problem_;
  std::atomic<bool> is_ending_{false};
  std::atomic<bool> is_at_end_{false};
  std::thread thread_;
};

hal::xcp::Secret read_secret(const std::string& path) {
  hal::xcp::Secret secret{};
  std::ifstream file(path);
  std::string text;
  file >> text;
  if (text.size() != 2 * secret.size() ||
      text.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
    throw Failure(ExitCode::kWrongUse, path + ": a secret has " +
                                           std::to_string(2 * secret.size()) +
                                           " hexadecimal digits; this file begins with " +
                                           std::to_string(text.size()) + " characters");
  }
  for (std::size_t i = 0; i < secret.size(); ++i) {
    secret[i] = static_cast<std::uint8_t>(std::stoul(text.substr(2 * i, 2), nullptr, 16));
  }
  return secret;
}

// Asks for all that it takes, in a thread that ends again: only memory stays locked.
std::vector<std::string> missing_rights(int core) {
  std::vector<std::string> missing;
  const auto note = [&missing](const board::Grant& grant) {
    if (grant.problem != 0) {
      missing.push_back(std::string("not ") + grant.what + ": " + std::strerror(grant.problem) +
                        "; " + grant.remedy);
    }
  };
  note(board::lock_memory());
  std::thread([&] {
    if (core >= 0) {
      note(board::pin_to_core(core));
    }
    note(board::become_real_time(board::kTimerPriority));
  }).join();
  return missing;
}

// All of a run, large: on the heap, once, before it.
template <twin::ChainModel Chain>
struct RtMachine {
  using Application = firmware::Application<Chain, RtPorts>;

  RtMachine(const RtRequest& request, TwinMachine<Chain>& twin)
      : port("taut", twin.state.calibration, request.source == kXcpSource),
        source(queue, request.source == kXcpSource ? &port : nullptr),
        application(spec_of(twin), twin.model, {source, outputs, clock, watchdog, listener}) {}

  static firmware::ApplicationSpec spec_of(const TwinMachine<Chain>& twin) {
    firmware::ApplicationSpec spec{};
    spec.channels = twin.channels;
    spec.calibration = twin.state.calibration;
    return spec;
  }

  FrameQueue queue;
  firmware::XcpPort port;
  board::XcpUdp udp;
  RtSource source;
  NoOutputs outputs;
  board::Clock clock;
  NoWatchdog watchdog;
  RtListener listener{{port, udp}};
  Application application;
  // A log begins when the chain has settled.
  twin::TwinState<Chain> state_at_log{};
  std::atomic<bool> has_state{false};
};

template <twin::ChainModel Chain>
class Recorder {
 public:
  Recorder(const RtRequest& request, RtMachine<Chain>& machine, const twin::TwinModel<Chain>& model)
      : request_(request), machine_(machine), model_(model) {}

  void write() {
    if (request_.log.empty() || !machine_.has_state.load()) {
      return;
    }
    if (!log_) {
      const Bytes model = bytes_of(model_);
      log_ =
          std::make_unique<LogWriter>(request_.log,
                                      LogHead{request_.rig.drive.name.c_str(), request_.model,
                                              hash_of(model), request_.rig.drive.sprockets.size()},
                                      model, bytes_of(machine_.state_at_log));
      log_->calibrate(machine_.state_at_log.calibration);
    }
    Recorded row{};
    while (machine_.listener.recorded.pop(row)) {
      log_->add(row.frame, row.prediction);
    }
  }
  void close() {
    write();
    if (log_) {
      log_->close();
    }
  }

 private:
  const RtRequest& request_;
  RtMachine<Chain>& machine_;
  const twin::TwinModel<Chain>& model_;
  std::unique_ptr<LogWriter> log_;
};

void report_writes(firmware::XcpPort& port) {
  hal::xcp::WriteRecord record{};
  while (port.log().pop(record)) {
    std::cerr << "taut rt: XCP wrote at tick " << record.tick << ", address " << record.address
              << ": bits " << record.before << " to " << record.after << "\n";
  }
}

template <twin::ChainModel Chain>
RtReport run_by(const RtRequest& request) {
  RtReport report;
  report.missing = missing_rights(request.core);
  report.has_rights = report.missing.empty();
  if (!report.has_rights && !request.best_effort) {
    std::string text = "no real time on this machine:\n";
    for (const std::string& what : report.missing) {
      text += "  " + what + "\n";
    }
    throw Failure(ExitCode::kNoSolution, text + "or go on without: --best-effort");
  }
  const auto twin = make_twin<Chain>(request.rig, request.block);
  const auto machine = std::make_unique<RtMachine<Chain>>(request, *twin);
  const int problem = machine->udp.open(request.address.c_str(), request.port);
  if (problem != 0) {
    throw Failure(ExitCode::kWrongUse, request.address + ": XCP cannot listen at port " +
                                           std::to_string(request.port) + ": " +
                                           std::strerror(problem));
  }
  std::cerr << "taut rt: XCP listens at " << request.address << ":" << machine->udp.port() << "\n";
  std::optional<hal::xcp::Secret> secret;
  if (!request.secret.empty()) {
    secret = read_secret(request.secret);
  }
  machine->application.start(firmware::SelfTest::kPassed);
  Feeder feeder(request, machine->queue);
  Recorder<Chain> recorder(request, *machine, twin->model);
  board::KernelEntropy entropy;
  const auto border = [&] { return machine->application.pass_border_from_interrupt(); };
  const auto tick = [&] {
    machine->application.run_tick();
    const bool settles = machine->application.mode() == firmware::Mode::kSettle;
    if (!settles && !machine->listener.is_recording && !request.log.empty()) {
      machine->state_at_log = machine->application.twin_state();
      machine->listener.is_recording = true;
      machine->has_state.store(true);
    }
  };
  using Ticks = board::PeriodicTicks<decltype(border), decltype(tick)>;
  typename Ticks::Spec spec;
  spec.core = request.core;
  spec.is_real_time = report.has_rights;
  spec.ticks = static_cast<std::uint64_t>(std::llround(request.duration_s / signal::kTick_s));
  {
    Ticks ticks(spec, border, tick);
    while (!ticks.has_ended()) {  // the slow loop
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      recorder.write();
      report_writes(machine->port);
      if (secret) {
        hal::xcp::top_up(machine->port.challenges(), *secret, entropy);
      }
      machine->application.serve();
      if (feeder.is_at_end()) {
        ticks.stop();
      }
    }
    report.wake_up = ticks.wake_up();
    report.tick_time = ticks.tick_time();
  }
  recorder.close();
  if (!feeder.problem().empty()) {
    throw Failure(ExitCode::kNoSolution, feeder.problem());
  }
  report.mode = machine->application.mode();
  report.counters = machine->application.counters();
  report.starved_ticks = machine->source.starved();
  report.udp = machine->udp.counters();
  report.xcp = machine->port.state().counters;
  report.most_packets_in_a_tick = machine->listener.xcp.most_in_a_tick();
  if (request.cyclictest) {
    report.cyclictest = run_cyclictest(request.duration_s, request.core);
  }
  return report;
}

}  // namespace

RtReport run_rt(const RtRequest& request) {
  return by_chain(request.model,
                  [&](auto chain) { return run_by<typename decltype(chain)::type>(request); });
}

}  // namespace taut::tool
