// Every fault of every sensor at every phase of the crank, on a twin against the bench: when its
// health tells, what it tells, when it is well again, and whether it was ever wrong and told
// nothing.
//
// Engine and drive do not feel their sensors: they run once, and each case measures that run anew
// (rig/instruments.h). A prediction is compared with that of the same twin without the fault: what
// the model does not know is in both and drops out, and what is left is the fault's.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host_tools/rig/rig.h"
#include "sim_core/signal/prediction.h"

namespace taut::tool {

// Wrong and not told: over so long, all of it valid, the tagged link's force was off by more than
// so much of its mean, RMS of its part below 20 Hz. An error that swings about zero counts as one
// that stays; what is faster does not last, and differs between any two runs of one model.
inline constexpr double kWrongFor_s = 0.1;
inline constexpr double kSlow_Hz = 20;
inline constexpr double kWrongPart = 0.2;

struct FaultMatrixRequest {
  rig::RigSpec rig;   // has no faults of its own
  std::string model;  // kRollerModel or kReducedModel
  std::string block;  // of the reduced model; empty: made on the spot
  std::vector<rig::Sensor> sensors;
  std::vector<rig::FaultKind> kinds;
  int phases = 20;         // over a turn of the crank; sizes change their sign from one to the next
  double size_factor = 1;  // 1: as large as the signal is itself
  double fault_s = 2;
  double watch_s = 8;  // after it
  std::optional<int> jobs;
};

struct FaultOutcome {
  rig::Fault fault;
  double phase_deg = 0;  // of the crank, where it begins
  // Health is compared with that of the twin without the fault.
  std::optional<double> noticed_s;    // after its begin
  std::uint32_t health = 0;           // all reasons that it gave, and the worst trust
  std::optional<double> recovered_s;  // after its end; nothing: not while it was watched
  double valid_error = 0;             // of the tagged link's force, as kWrongPart, while valid
  double told_error = 0;              // while degraded or invalid
  bool is_finite = true;              // every number of every prediction

  [[nodiscard]] bool is_wrong() const { return !is_finite || valid_error > kWrongPart; }
};

struct FaultMatrix {
  double begin_s = 0;                  // of the first fault
  double mean_N = 0;                   // of the tagged link's force as predicted without faults
  std::vector<FaultOutcome> outcomes;  // by sensor, kind, phase
  int threads = 0;
  double wall_s = 0;

  [[nodiscard]] std::size_t wrong() const;
};

// Throws a Failure or a RigError that says what is wrong.
[[nodiscard]] FaultMatrix run_fault_matrix(const FaultMatrixRequest& request);

[[nodiscard]] std::string to_text(const FaultMatrixRequest& request, const FaultMatrix& matrix);
[[nodiscard]] std::string to_csv(const FaultMatrix& matrix);  // a row a case
[[nodiscard]] nlohmann::ordered_json to_json(const FaultMatrixRequest& request,
                                             const FaultMatrix& matrix);

}  // namespace taut::tool
