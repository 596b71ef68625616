// The whole firmware on an MPS2 board as the emulator runs it: a tick begins when its frame has
// come by XCP, so that the emulator's clock does not matter. What main.cpp composes.
#pragma once

#include <etl/optional.h>
#include <etl/span.h>
#include <etl/string.h>
#include <etl/string_stream.h>

#include "board.h"
#include "boards/cortex_m/cmsdk_watchdog.h"
#include "boards/cortex_m/nvic.h"
#include "boards/cortex_m/semihosting.h"
#include "boards/mps2/board_flash.h"
#include "boards/mps2/emulators_secret.h"
#include "boards/mps2/host_link.h"
#include "firmware/application.h"
#include "firmware/sxi_transport.h"
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
  // What a start finds in flash: a block that fits, with what was calibrated since; or no model.
  explicit LockStep(etl::span<std::uint8_t> flash)
      : flash_(flash),
        kept_(flash_.load_kept()),
        found_(flash_.find_block(drive_of(kept_))),
        spec_(spec_of(found_.block, kept_)),
        port_("taut", spec_.calibration, true),
        application_(spec_, model_in(found_.block, flash),
                     {port_, outputs_, clock_, watchdog_, port_}) {}

  void start() {
    const bool has_model = found_.block != nullptr;
    report_flash();
    application_.start(has_model ? firmware::SelfTest::kPassed : firmware::SelfTest::kNoModel);
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
      keep_calibration();
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
  using Kept = etl::optional<firmware::KeptParameters>;

  // A board that keeps nothing yet takes any drive's block.
  static etl::optional<std::uint64_t> drive_of(const Kept& kept) {
    return kept.has_value() ? etl::optional<std::uint64_t>(kept->drive_hash) : etl::nullopt;
  }

  static firmware::ApplicationSpec spec_of(const firmware::TwinBlock* block, const Kept& kept) {
    firmware::ApplicationSpec spec{};
    if (block != nullptr) {
      spec.channels = block->channels;
      spec.calibration = kept.has_value() ? kept->calibration : block->calibration;
    }
    spec.watchdog_ms = kWatchdog_ms;
    spec.is_lock_step = true;
    return spec;
  }

  // Without a block nothing is used of the model but where it would lie.
  static const LockStepApplication::Model& model_in(const firmware::TwinBlock* block,
                                                    etl::span<std::uint8_t> flash) {
    const void* const begin = flash.data();
    return (block != nullptr ? block : static_cast<const firmware::TwinBlock*>(begin))->model;
  }

  // The flash blocks, and no tick waits for it: between two frames.
  void keep_calibration() {
    if (!hal::xcp::is_store_requested(port_.state())) {
      return;
    }
    const bool is_kept = found_.block != nullptr &&
                         flash_.save_kept({found_.block->header.drive_hash,
                                           port_.next_calibration()}) == hal::CopyStatus::kOk;
    hal::xcp::end_storing(port_.state(), is_kept);
    board::console().write(is_kept ? "calibration kept\n" : "calibration not kept\n");
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

  void report_flash() {
    etl::string<160> text;
    etl::string_stream out(text);
    out << "the twin's block " << reduced_chain::reason(found_.status) << "; calibration "
        << (kept_.has_value() ? "as kept" : "of the block") << "\n";
    board::console().write(text);
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

  BoardFlash flash_;
  Kept kept_;
  firmware::TwinBlockRead found_;
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
