// The whole firmware on an MPS2 board as the emulator runs it: a tick begins when its frame has
// come by XCP, so that the emulator's clock does not matter. What both boards' main.cpp compose.
#pragma once

#include <etl/string.h>
#include <etl/string_stream.h>

#include "board.h"
#include "boards/cortex_m/cmsdk_watchdog.h"
#include "boards/cortex_m/nvic.h"
#include "boards/cortex_m/semihosting.h"
#include "boards/mps2/emulators_secret.h"
#include "boards/mps2/host_link.h"
#include "firmware/application.h"
#include "firmware/sxi_transport.h"
#include "firmware/twin_block.h"
#include "firmware/xcp_port.h"
#include "hal/xcp/seed_key.h"
#include "sim_core/twin/chains.h"

namespace taut::mps2 {

// There is no converter and no bus: the last frame lies in memory.
struct HeldOutputs {
  bool write(const signal::OutputFrame& frame) {
    last = frame;
    return true;
  }
  signal::OutputFrame last{};
};

using LockStepPorts = firmware::Ports<firmware::XcpPort, HeldOutputs, board::Clock,
                                      cortex_m::CmsdkWatchdog, firmware::XcpPort>;
using LockStepApplication = firmware::Application<twin::ReducedChain, LockStepPorts>;

// A host may be held up for long while it debugs.
inline constexpr std::uint32_t kWatchdog_ms = 60'000;
inline constexpr std::uint32_t kReportTicks = 8000;

class LockStep {
 public:
  LockStep(const firmware::TwinBlock& block, reduced_chain::BlockStatus status)
      : is_model_good_(status == reduced_chain::BlockStatus::kFits),
        spec_(spec_of(block, is_model_good_)),
        port_("taut", spec_.calibration, true),
        application_(spec_, block.model, {port_, outputs_, clock_, watchdog_, port_}) {}

  void start() {
    application_.start(is_model_good_ ? firmware::SelfTest::kPassed : firmware::SelfTest::kNoModel);
    report();
  }

  // Until the line ends.
  void run() {
    while (!link_.has_ended()) {
      const bool came = transport_.receive(port_.in());
      port_.serve();
      if (port_.has_stimulus() && application_.pass_border_from_interrupt()) {
        application_.run_tick();
        sum_of_costs_ += outputs_.last.tick_cost;
        report_now_and_then();
      }
      const bool is_sending = transport_.send(port_.out());
      log_writes();
      hal::xcp::top_up(port_.challenges(), kEmulatorsSecret, entropy_);
      application_.serve();
      if (!came && !is_sending) {
        wait();
      }
    }
    report();
  }

  [[nodiscard]] HostLink& link() { return link_; }

 private:
  static firmware::ApplicationSpec spec_of(const firmware::TwinBlock& block, bool is_good) {
    firmware::ApplicationSpec spec{};
    if (is_good) {
      spec.channels = block.channels;
      spec.calibration = block.calibration;
    }
    spec.watchdog_ms = kWatchdog_ms;
    spec.is_lock_step = true;
    return spec;
  }

  void wait() {
    const cortex_m::InterruptsOff off;
    if (!link_.waits_by_itself() && !link_.uart().has_arrived()) {
      cortex_m::wait_for_interrupt();
    }
  }

  void log_writes() {
    hal::xcp::WriteRecord record{};
    while (port_.log().pop(record)) {
      etl::string<96> text;
      etl::string_stream out(text);
      out << "write: tick " << record.tick << ", address " << record.address << ", bits "
          << record.before << " to " << record.after << "\n";
      board::console().write(text);
    }
  }

  void report_now_and_then() {
    if (application_.counters().ticks % kReportTicks == 0) {
      report();
    }
  }

  void report() {
    const firmware::Counters counters = application_.counters();
    etl::string<192> text;
    etl::string_stream out(text);
    out << "mode " << firmware::name_of(application_.mode()) << ", self test "
        << firmware::reason(application_.self_test()) << ", ticks " << counters.ticks
        << ", overruns " << counters.overruns << ", clock counts of the worst tick "
        << outputs_.last.worst_tick_cost << ", of all " << sum_of_costs_ << "\n";
    board::console().write(text);
  }

  bool is_model_good_;
  firmware::ApplicationSpec spec_;
  HostLink link_{board::kUart1};
  firmware::SxiTransport<HostLink> transport_{link_};
  board::Clock clock_;
  cortex_m::CmsdkWatchdog watchdog_{board::kWatchdog, 25'000'000, board::was_reset_while_running()};
  cortex_m::HostEntropy entropy_;
  HeldOutputs outputs_;
  firmware::XcpPort port_;
  LockStepApplication application_;
  std::uint64_t sum_of_costs_ = 0;
};

}  // namespace taut::mps2
