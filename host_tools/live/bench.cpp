#include "host_tools/live/bench.h"

#include <algorithm>
#include <utility>

#include "host_tools/rig/rig_error.h"
#include "host_tools/taut/text.h"
#include "sim_core/math/constants.h"

namespace taut::live {
namespace {

using rig::FaultKind;
using rig::Sensor;

constexpr double kRad_s_a_rpm = math::kTwoPi<double> / 60;

template <typename Kind>
Kind named(const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw rig::RigError(name + ": allowed " + tool::joined(names));
  }
  return static_cast<Kind>(found - names.begin());
}

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// What a sensor measures at most, as it is on this bench; edges have no such thing.
double full_scale(const rig::SensorSpec& sensors, Sensor sensor) {
  switch (sensor) {
    case Sensor::kCrankAcceleration:
      return sensors.crank_acceleration_rad_s2.full_scale;
    case Sensor::kLinkForce:
      return sensors.link_force_N.full_scale;
    case Sensor::kTightenerAcceleration:
      return sensors.tightener_acceleration_m_s2.full_scale;
    case Sensor::kTightenerPosition:
      return sensors.tightener_position_m.full_scale;
    default:
      return 0;
  }
}

// A size that shows, to begin with.
double telling_size(const rig::SensorSpec& sensors, Sensor sensor, FaultKind kind) {
  const bool is_pick_up = sensor == Sensor::kEdges || sensor == Sensor::kIndex;
  const double full = full_scale(sensors, sensor);
  switch (kind) {
    case FaultKind::kGarbage:
      return is_pick_up ? 1 : full / 2;
    case FaultKind::kOffset:
      return is_pick_up ? 0.1 : full / 10;
    case FaultKind::kSlow:
      return is_pick_up ? 0.01 : full / 100;
    case FaultKind::kDelayed:
      return 0.05;
    case FaultKind::kIntermittent:
      return 0.5;
    case FaultKind::kTimeJump:
      return is_pick_up ? 1e-4 : 100;
    default:
      return 0;
  }
}

double telling_size(rig::DamageKind kind) {
  switch (kind) {
    case rig::DamageKind::kCrackedLink:
      return 0.3;
    case rig::DamageKind::kWornBar:
      return 0.003;
    case rig::DamageKind::kWeakDamper:
      return 0.3;
    case rig::DamageKind::kElongation:
      return 0.0005;
  }
  return 0;
}

Json to_json(const rig::SizeRule& rule, double telling) {
  return {{"needed", rule.needed},   {"whole", rule.whole}, {"lowest", rule.lowest},
          {"highest", rule.highest}, {"unit", rule.unit},   {"size", telling}};
}

std::string sized(const std::string& what, double size, const rig::SizeRule& rule) {
  return rule.needed
             ? what + ", " + tool::general(size) + (rule.unit.empty() ? "" : " " + rule.unit)
             : what;
}

}  // namespace

Bench::Bench(const rig::RigSpec& spec) : spec_(spec), rig_(std::make_unique<rig::Rig>(spec)) {
  for (std::size_t i = 0; i < spec.faults.size(); ++i) {
    faults_.push_back({i, "fault " + std::to_string(i + 1) + " of the file"});
  }
}

const rig::Rig::Tick& Bench::advance() {
  try {
    return rig_->advance();
  } catch (const rig::RigError& error) {
    trouble_ = error.what();
    spec_.faults.clear();
    spec_.damages.clear();
    faults_.clear();
    damages_.clear();
    rig_ = std::make_unique<rig::Rig>(spec_);
    return rig_->advance();
  }
}

std::string Bench::take_trouble() {
  return std::exchange(trouble_, {});
}

std::string Bench::set_speed(double rpm) {
  rig_->set_speed_rad_s(rpm * kRad_s_a_rpm);
  spec_.engine.set_speed_rad_s = rpm * kRad_s_a_rpm;
  return "speed set to " + tool::general(rpm) + " rpm";
}

std::string Bench::set_excitation(double factor) {
  rig_->set_order_factor(factor);
  spec_.engine.order_factor = factor;
  return "excitation set to " + tool::general(factor) + " times";
}

std::string Bench::tag(std::size_t link_number) {
  rig_->tag({link_number - 1, spec_.tags.roller});
  spec_.tags.link = link_number - 1;
  return "gauge moved to link " + std::to_string(link_number);
}

std::string Bench::inject_fault(const Json& wanted) {
  rig::Fault fault;
  fault.sensor = named<Sensor>(wanted.at("sensor"), rig::sensor_names());
  fault.kind = named<FaultKind>(wanted.at("kind"), rig::fault_names());
  fault.size = wanted.value("size", 0.0);
  fault.at_s = rig_->time_s();
  const std::size_t number = rig_->inject(fault);
  const std::string text = sized(spaced(wanted.at("sensor")) + ": " + spaced(wanted.at("kind")),
                                 fault.size, rig::size_rule(fault.sensor, fault.kind));
  faults_.push_back({number, text});
  return "fault: " + text;
}

std::string Bench::inject_damage(const Json& wanted) {
  rig::Damage damage;
  damage.kind = named<rig::DamageKind>(wanted.at("kind"), rig::damage_names());
  damage.number = wanted.value("number", 0);
  damage.size = wanted.value("size", 0.0);
  damage.at_s = rig_->time_s();
  rig_->inject(damage);
  const bool is_numbered =
      damage.kind == rig::DamageKind::kCrackedLink || damage.kind == rig::DamageKind::kWornBar;
  damages_.push_back(
      sized(spaced(wanted.at("kind")) + (is_numbered ? " " + std::to_string(damage.number) : ""),
            damage.size, rig::size_rule(damage.kind)));
  return "damage: " + damages_.back();
}

std::string Bench::clear(std::size_t number) {
  const auto found = std::find_if(faults_.begin(), faults_.end(),
                                  [&](const Acting& acting) { return acting.number == number; });
  if (found == faults_.end()) {
    throw rig::RigError("fault " + std::to_string(number) + ": there is none of that number");
  }
  std::string text = "cleared: " + found->text;
  rig_->end_fault(number);
  faults_.erase(found);
  return text;
}

std::string Bench::clear_all() {
  rig_->end_faults();
  faults_.clear();
  return "all faults of sensors cleared";
}

Json Bench::state() const {
  Json state;
  state["speed_rpm"] = spec_.engine.set_speed_rad_s / kRad_s_a_rpm;
  state["excitation"] = spec_.engine.order_factor;
  state["tagged_link"] = spec_.tags.link + 1;
  state["faults"] = Json::array();
  for (const Acting& fault : faults_) {
    state["faults"].push_back({{"number", fault.number}, {"text", fault.text}});
  }
  state["damages"] = damages_;
  return state;
}

Json Bench::describe() const {
  Json json;
  json["has_engine"] = !spec_.prescribed.has_value();
  json["most_rpm"] = rig::kMostOverspeed * spec_.engine.rated_speed_rad_s / kRad_s_a_rpm;
  json["most_excitation"] = rig::kMostOrderFactor;
  for (std::size_t s = 0; s < rig::sensor_names().size(); ++s) {
    for (std::size_t k = 0; k < rig::fault_names().size(); ++k) {
      const auto sensor = static_cast<Sensor>(s);
      const auto kind = static_cast<FaultKind>(k);
      if (const rig::SizeRule rule = rig::size_rule(sensor, kind); rule.possible) {
        json["faults"][rig::sensor_names()[s]][rig::fault_names()[k]] =
            to_json(rule, telling_size(spec_.sensors, sensor, kind));
      }
    }
  }
  for (std::size_t k = 0; k < rig::damage_names().size(); ++k) {
    const auto kind = static_cast<rig::DamageKind>(k);
    Json rule = to_json(rig::size_rule(kind), telling_size(kind));
    rule["most_number"] = kind == rig::DamageKind::kCrackedLink ? spec_.drive.chain.links
                          : kind == rig::DamageKind::kWornBar
                              ? static_cast<int>(spec_.drive.guide_bars.size())
                              : 0;
    json["damages"][rig::damage_names()[k]] = rule;
  }
  return json;
}

}  // namespace taut::live
