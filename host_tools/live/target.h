// Where a twin runs, as the live page sees it: a tick, what it predicts, and a look at every link.
// This PC (pc_target.h) or a board (board_target.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host_tools/rig/rig.h"
#include "host_tools/taut/twin_record.h"
#include "sim_core/crank/observer.h"
#include "sim_core/drive/geometry.h"

namespace taut::live {

// Where rollers would be if strands were straight, by roller; left of travel as a unit vector.
struct StraightChain {
  std::vector<drive::Point> at_m;
  std::vector<drive::Point> left;
};

struct ChainLook {
  std::vector<float> link_N;    // by link, tension positive
  std::vector<float> tooth_N;   // by roller, on its tooth
  std::vector<float> beside_m;  // by roller, to the left of travel
};

class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;

  [[nodiscard]] virtual std::string machine() const = 0;
  [[nodiscard]] virtual std::string model() const = 0;

  virtual void tick(const rig::Rig::Tick& measured, double time_s) = 0;
  [[nodiscard]] virtual const signal::SensorFrame& frame() const = 0;
  [[nodiscard]] virtual const signal::Prediction& prediction() const = 0;
  [[nodiscard]] virtual crank::Sync sync() const = 0;
  [[nodiscard]] virtual double last_tick_s() const = 0;
  [[nodiscard]] virtual std::string timing() const = 0;  // what times of ticks are, in words
  [[nodiscard]] virtual const tool::TwinReport& so_far() const = 0;
  [[nodiscard]] virtual const tool::TwinTraces& traces() const = 0;

  // Index of the link with the gauge; nothing where that is not known. So many links on, round the
  // loop.
  [[nodiscard]] virtual std::optional<std::size_t> tagged_link() const = 0;
  virtual void tag_on(std::size_t links) = 0;

  virtual void look(const StraightChain& straight, ChainLook& look) const = 0;
  // No tick after it.
  [[nodiscard]] virtual tool::TwinReport finish() = 0;
  // What else there is to tell of it after that, as a line; may be empty.
  [[nodiscard]] virtual std::string last_words() const = 0;
};

// A board that QEMU emulates.
struct BoardSpec {
  std::string core;     // "Cortex-M7"
  std::string machine;  // QEMU's name for it
  std::string image;    // path of the firmware; empty: no board
};

struct TargetSpec {
  rig::RigSpec rig;
  std::string model;  // of chain_names()
  std::string block;  // of the reduced model; empty: made on the spot
  BoardSpec board;    // for the reduced model; all others run on this PC
  tool::TwinFiles files;
  std::size_t kept_ticks = tool::kAllTicks;  // of traces
};

// Takes a while: statics, and a reduction where there is no block. Throws a Failure.
[[nodiscard]] std::unique_ptr<Target> make_target(const TargetSpec& spec);

}  // namespace taut::live
