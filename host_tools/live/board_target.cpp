#include "host_tools/live/board_target.h"

#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "boards/mps2/emulators_secret.h"
#include "firmware/settling.h"
#include "host_tools/emulator/emulated_board.h"
#include "host_tools/emulator/stimulus.h"
#include "host_tools/emulator/temporary_folder.h"
#include "host_tools/live/pc_target.h"
#include "host_tools/taut/board_flash.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/twin_log.h"

namespace taut::live {
namespace {

using BoardChain = twin::ReducedChain;
using BoardMachine = tool::TwinMachine<BoardChain>;

tool::Failure failure_of(const BoardSpec& board, const std::exception& error) {
  return {tool::ExitCode::kNoSolution, board.machine + ": " + error.what()};
}

// The board and its line.
class Board {
 public:
  Board(const BoardSpec& spec, const firmware::TwinBlock& block)
      : flash_(flash_with(block, folder_)),
        board_(spec.machine, spec.image, flash_, emulator::Line::kPipes),
        master_(board_.from_board(), board_.to_board(), [this] { return board_.is_running(); }) {
    master_.connect();
    for (const std::uint8_t resource : {hal::xcp::kResourceStim, hal::xcp::kResourceCalibration}) {
      master_.unlock(resource, mps2::kEmulatorsSecret);
    }
    master_.start_lists(emulator::stimulated(), emulator::all_measurements());
  }

  void stimulate(const rig::RawFrame& raw) { master_.stimulate(emulator::to_packet(raw)); }
  [[nodiscard]] signal::Prediction predicted() {
    const emulator::Packet packet = master_.measured();
    signal::Prediction prediction{};
    if (packet.size() != sizeof prediction) {
      throw std::runtime_error("a prediction of " + std::to_string(packet.size()) + " bytes");
    }
    std::memcpy(&prediction, packet.data(), sizeof prediction);
    return prediction;
  }
  void calibrate(const twin::Calibration& calibration) { master_.calibrate(calibration); }
  [[nodiscard]] std::string end() { return board_.end(); }

 private:
  static std::string flash_with(const firmware::TwinBlock& block,
                                const emulator::TemporaryFolder& folder) {
    std::string flash = folder.file("flash");
    tool::write_flash(flash, block, true);
    return flash;
  }

  emulator::TemporaryFolder folder_;
  std::string flash_;
  emulator::EmulatedBoard board_;
  emulator::XcpMaster master_;
};

// As firmware does when it starts; the twin goes on with the tick after it.
void settle(BoardMachine& machine) {
  for (std::uint32_t tick = 0; tick < firmware::kSettleTicks; ++tick) {
    machine.frame = {};
    machine.frame.tick = tick;
    hal::condition(machine.channels, machine.channel_states, {}, machine.prediction, machine.frame);
    machine.prediction = twin::tick(machine.model, firmware::standstill(machine.frame),
                                    machine.state, machine.scratch);
  }
}

class BoardTarget : public PcTarget<BoardChain> {
 public:
  BoardTarget(const TargetSpec& spec, std::unique_ptr<BoardMachine> machine,
              std::unique_ptr<Board> board)
      : PcTarget(spec, std::move(machine)),
        spec_(spec.board),
        board_(std::move(board)),
        calibration_(twin().state.calibration) {}

  [[nodiscard]] std::string machine() const override { return spec_.core + " in QEMU"; }
  [[nodiscard]] std::string timing() const override {
    return "Ticks by the clock of this PC, with the emulator and its line; a board takes less.";
  }

  void tick(const rig::Rig::Tick& measured, double time_s) override {
    rig::RawFrame raw = carried_.of(measured.frame);
    raw.tick = next_tick_++;
    const auto begin = std::chrono::steady_clock::now();
    try {
      calibrate();
      board_->stimulate(raw);
      tool::tick(raw, twin());
      const signal::Prediction told = board_->predicted();
      same_ += tool::bytes_of(told) == tool::bytes_of(twin().prediction) ? 1U : 0U;
      twin().prediction = told;
    } catch (const std::runtime_error& error) {
      throw failure_of(spec_, error);
    }
    end_tick(begin, measured.truth, time_s);
  }

  [[nodiscard]] tool::TwinReport finish() override {
    std::string console;
    try {
      console = board_->end();
    } catch (const std::runtime_error& error) {
      throw failure_of(spec_, error);
    }
    const std::optional<emulator::TicksTold> told = emulator::ticks_told(console);
    last_words_ = "on a " + machine() + ": " + std::to_string(same_) + " of " +
                  std::to_string(so_far().ticks) + " predictions have the bits of this PC's";
    if (told) {
      last_words_ += "; by its own count " + tool::fixed(told->worst_instructions, 0) +
                     " instructions in its worst tick, overruns " + std::to_string(told->overruns);
    }
    last_words_ += "; times above are of the emulator and its line";
    return PcTarget::finish();
  }
  [[nodiscard]] std::string last_words() const override { return last_words_; }

 private:
  // What was set on this PC since the last tick.
  void calibrate() {
    const twin::Calibration& wanted = twin().state.calibration;
    if (tool::bytes_of(wanted) != tool::bytes_of(calibration_)) {
      board_->calibrate(wanted);
      calibration_ = wanted;
    }
  }

  BoardSpec spec_;
  std::unique_ptr<Board> board_;
  twin::Calibration calibration_;
  emulator::CarriedReadings carried_;
  std::uint32_t next_tick_ = firmware::kSettleTicks;
  std::uint64_t same_ = 0;
  std::string last_words_;
};

}  // namespace

std::unique_ptr<Target> make_board_target(const TargetSpec& spec) {
  if (!std::filesystem::exists(spec.board.image)) {
    throw tool::Failure(tool::ExitCode::kWrongUse,
                        spec.board.image + ": there is no such image; make firmware builds it");
  }
  auto machine = tool::make_twin<BoardChain>(spec.rig, spec.block);
  try {
    auto board =
        std::make_unique<Board>(spec.board, *tool::twin_block_of(spec.rig.drive, *machine));
    for (std::uint32_t tick = 0; tick < firmware::kSettleTicks; ++tick) {
      board->stimulate({});
      static_cast<void>(board->predicted());
    }
    settle(*machine);
    return std::make_unique<BoardTarget>(spec, std::move(machine), std::move(board));
  } catch (const std::runtime_error& error) {
    throw failure_of(spec.board, error);
  }
}

}  // namespace taut::live
