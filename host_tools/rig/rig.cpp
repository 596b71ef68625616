#include "host_tools/rig/rig.h"

#include <algorithm>
#include <cmath>

#include "host_tools/rig/rig_error.h"
#include "sim_core/math/constants.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::rig {
namespace {

constexpr double kTickLength_s = roller_chain::kTick_s;

// Of the damage, at a time: at once, or in a straight line.
double grown(const Damage& damage, double time_s) {
  if (damage.until_s > damage.at_s) {
    return std::clamp((time_s - damage.at_s) / (damage.until_s - damage.at_s), 0.0, 1.0);
  }
  return time_s >= damage.at_s ? 1 : 0;
}

bool is_from_start(const Damage& damage) {
  return grown(damage, 0) == 1;
}

crank::SyntheticSpec synthetic_spec(const RigSpec& spec, double step_s) {
  crank::SyntheticSpec motion;
  motion.step_s = step_s;
  motion.speed_rad_s = spec.engine.set_speed_rad_s;
  motion.run_up_s = spec.engine.run_up_s;
  motion.fade_in_s = spec.engine.fade_in_s;
  motion.order = spec.prescribed->order;
  motion.order_amplitude_rad_s2 = spec.prescribed->amplitude_rad_s2;
  return motion;
}

void refuse_backwards(const crank::Motion<double>& crank, double nominal_rad_s, double time_s) {
  constexpr double kBackwards = -0.01;  // of the nominal speed; less is a crank that stands
  if (!(crank.speed_rad_s > kBackwards * nominal_rad_s)) {
    throw RigError("the crankshaft turns backwards at " + std::to_string(time_s) +
                   " s: give smaller torque orders or less acceleration");
  }
}

}  // namespace

RigSpec rig_for(const drive::DriveSpec& drive) {
  RigSpec spec;
  spec.drive = drive;
  spec.engine = engine_for(drive.crank.speed_rpm / 60 * math::kTwoPi<double>);
  spec.sensors = sensors_for(drive);
  return spec;
}

Rig::Rig(const RigSpec& spec)
    : spec_(spec), engine_model_(make_engine(spec.engine)), instruments_(spec.sensors, spec.seed) {
  Random random(spec.seed, Stream::kPlant);
  drawn_ = draw(spec.drive, spec.spread, random);
  undamaged_ = with(spec.drive, drawn_);
  for (const Damage& damage : spec.damages) {
    add_damage(damage);
  }
  for (const Fault& fault : spec.faults) {
    inject(fault);
  }
  init(engine_model_, engine_);
  crank_ = engine_.crank;
  plant_ = std::make_unique<Plant>(undamaged_, crank_.speed_rad_s);
  if (spec.prescribed) {
    crank::make_synthetic(synthetic_spec(spec, plant_->step_s()), prescribed_model_);
    crank::init(prescribed_model_, prescribed_);
    crank_ = prescribed_.motion;
  }
}

double Rig::time_s() const {
  return static_cast<double>(tick_) * kTickLength_s;
}

std::size_t Rig::inject(const Fault& fault) {
  return instruments_.inject(fault);
}

void Rig::inject(const Damage& damage) {
  add_damage(damage);
}

// Each is checked on top of all the others.
void Rig::add_damage(const Damage& damage) {
  drive::DriveSpec all = undamaged_;
  for (const Damage& other : damages_) {
    all = damaged(all, other, 1);
  }
  if (const MemberProblem problem = problem_with(damage, all); !problem.empty()) {
    throw RigError("damage " + damage_names()[static_cast<std::size_t>(damage.kind)] + ": " +
                   problem.text);
  }
  if (!plant_ && is_from_start(damage)) {
    undamaged_ = damaged(undamaged_, damage, 1);
    return;
  }
  damages_.push_back(damage);
  damages_grow_ = true;
}

void Rig::end_fault(std::size_t number) {
  instruments_.end_fault(number);
}

void Rig::end_faults() {
  instruments_.end_faults();
}

void Rig::refuse_without_engine() const {
  if (spec_.prescribed) {
    throw RigError("the crank's motion is prescribed: there is no engine to set");
  }
}

void Rig::set_speed_rad_s(double speed_rad_s) {
  const double most_rad_s = kMostOverspeed * spec_.engine.rated_speed_rad_s;
  refuse_without_engine();
  if (!(speed_rad_s > 0 && speed_rad_s <= most_rad_s)) {
    throw RigError("speed " + std::to_string(speed_rad_s) + " rad/s: allowed above 0 to " +
                   std::to_string(most_rad_s) + " rad/s");
  }
  engine_.set_speed_rad_s = speed_rad_s;
}

void Rig::set_order_factor(double factor) {
  refuse_without_engine();
  if (!(factor >= 0 && factor <= kMostOrderFactor)) {
    throw RigError("factor of torque orders " + std::to_string(factor) + ": allowed 0 to " +
                   std::to_string(kMostOrderFactor));
  }
  spec_.engine.order_factor = factor;
  engine_model_ = make_engine(spec_.engine);
}

void Rig::tag(const signal::Tags& tags) {
  const auto links = static_cast<std::size_t>(spec_.drive.chain.links);
  if (tags.link >= links || tags.roller >= links) {
    throw RigError("tagged link " + std::to_string(tags.link + 1) + ", roller " +
                   std::to_string(tags.roller + 1) + ": allowed 1 to " + std::to_string(links));
  }
  spec_.tags = tags;
}

// At the begin of a tick; when all are full grown the drive is left alone.
void Rig::grow_damages() {
  if (!damages_grow_) {
    return;
  }
  drive::DriveSpec now = undamaged_;
  bool any = false;
  damages_grow_ = false;
  for (const Damage& damage : damages_) {
    const double part = grown(damage, time_s());
    damages_grow_ = damages_grow_ || part < 1;
    any = any || part > 0;
    now = part > 0 ? damaged(now, damage, part) : now;
  }
  if (any) {
    plant_->replace(now);
  }
}

crank::Motion<double> Rig::turn_crank() {
  if (spec_.prescribed) {
    crank::advance(prescribed_model_, prescribed_);
    return prescribed_.motion;
  }
  rig::advance(engine_model_, plant_->step_s(), plant_->torque_on_crank_N_m(), engine_);
  return engine_.crank;
}

void Rig::run_plant() {
  happening_.crank_rad.assign(1, crank_.angle_rad);
  for (std::uint32_t i = 0; i < plant_->steps_a_tick(); ++i) {
    crank_ = turn_crank();
    happening_.crank_rad.push_back(crank_.angle_rad);
    plant_->step(crank_);
  }
}

void Rig::tell_truth() {
  Truth& truth = happening_.truth;
  const double radius_m = plant_->axle_radius_m();
  plant_->predict(spec_.tags, truth.chain);
  truth.time_s = static_cast<double>(tick_ + 1) * kTickLength_s;
  truth.crank = crank_;
  truth.mean_torque_N_m = spec_.prescribed ? 0 : engine_.mean_torque_N_m;
  truth.propeller_rad_s = spec_.prescribed ? crank_.speed_rad_s : engine_.propeller_rad_s;
  truth.tightener_position_m = radius_m * static_cast<double>(truth.chain.arm_angle_rad);
  truth.tightener_acceleration_m_s2 = radius_m * plant_->arm_rad_s2();
}

const Rig::Tick& Rig::advance() {
  grow_damages();
  if (!spec_.prescribed) {
    govern(engine_model_, kTickLength_s, engine_);
  }
  run_plant();
  plant_->check(time_s() + kTickLength_s);
  refuse_backwards(crank_, spec_.engine.set_speed_rad_s, time_s() + kTickLength_s);
  tell_truth();
  out_.truth = happening_.truth;
  out_.frame = instruments_.measure(happening_);
  ++tick_;
  return out_;
}

}  // namespace taut::rig
