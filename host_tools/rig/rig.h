// A virtual engine bench: what is on the other side of the twin's sensors. Engine, drive, sensors
// and faults, one tick after the other; the same specification gives the same bits. It shares
// with a twin the drive's description and nothing else: its drive has parameters of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "host_tools/rig/engine.h"
#include "host_tools/rig/instruments.h"
#include "host_tools/rig/plant.h"
#include "host_tools/rig/plant_parameters.h"
#include "host_tools/rig/raw_frame.h"
#include "host_tools/rig/sensors.h"
#include "sim_core/crank/synthetic.h"

namespace taut::rig {

// The crank does as it is told, A sin(k phi) about its set speed, in place of the engine.
struct PrescribedMotion {
  int order = 6;
  double amplitude_rad_s2 = 0;
};

struct RigSpec {
  drive::DriveSpec drive;  // as drawn; has passed drive::validate()
  EngineSpec engine;
  std::optional<PrescribedMotion> prescribed;  // with set speed, run-up and fade-in of the engine
  Spread spread;
  SensorSpec sensors;
  std::vector<Fault> faults;
  std::vector<Damage> damages;
  signal::Tags tags;
  std::uint64_t seed = 1;
};

// Nominal engine and sensors for a drive, at its nominal speed.
[[nodiscard]] RigSpec rig_for(const drive::DriveSpec& drive);

class Rig {
 public:
  struct Tick {
    RawFrame frame;
    Truth truth;
  };

  // Each throws a RigError that says what is wrong.
  explicit Rig(const RigSpec& spec);
  // Until the next call. Throws where the chain flies apart or the crank turns backwards.
  const Tick& advance();
  // Commands: from the next tick on; times of faults and damages count from the rig's start.
  std::size_t inject(const Fault& fault);  // its number, from 0
  void inject(const Damage& damage);
  void end_fault(std::size_t number);
  void end_faults();                         // of sensors: damage stays
  void set_speed_rad_s(double speed_rad_s);  // that the governor goes for
  void set_order_factor(double factor);      // of all torque orders
  void tag(const signal::Tags& tags);        // the gauge is on another link from now on

  // Of the last tick: for other instruments to measure again.
  [[nodiscard]] const Happening& happening() const { return happening_; }
  [[nodiscard]] std::uint64_t ticks() const { return tick_; }  // made so far
  [[nodiscard]] double time_s() const;
  [[nodiscard]] const Drawn& drawn() const { return drawn_; }
  [[nodiscard]] const drive::DriveSpec& plant_spec() const { return plant_->spec(); }
  [[nodiscard]] double plant_step_s() const { return plant_->step_s(); }
  [[nodiscard]] std::uint64_t plant_hash() const { return plant_->hash(); }

 private:
  [[nodiscard]] crank::Motion<double> turn_crank();
  void refuse_without_engine() const;
  void add_damage(const Damage& damage);
  void grow_damages();
  void run_plant();
  void tell_truth();

  RigSpec spec_;
  Drawn drawn_;
  drive::DriveSpec undamaged_;  // drawn, with what was damaged from the start
  std::vector<Damage> damages_;
  bool damages_grow_ = false;
  std::unique_ptr<Plant> plant_;
  EngineModel engine_model_;
  EngineState engine_;
  crank::SyntheticModel<double, math::kMinSplineSamples> prescribed_model_{};  // has no table
  crank::SyntheticState<double> prescribed_{};
  Instruments instruments_;
  crank::Motion<double> crank_{};
  std::uint64_t tick_ = 0;
  Happening happening_;
  Tick out_;
};

}  // namespace taut::rig
