#include "host_tools/taut/rig_files.h"

#include "host_tools/taut/toml_sections.h"

namespace taut::tool {
namespace {

constexpr double kMostTorque_N_m = 1e12;
constexpr double kMostPhase_rad = 7;

// A size where the rule wants one, and none where it has no meaning.
double read_size(SectionReader& section, const rig::SizeRule& rule) {
  if (rule.needed) {
    return section.number("size");
  }
  if (section.optional_number("size")) {
    section.complain("size", "this kind has no size; leave it out");
  }
  return 0;
}

// Of what could be read; a member that is missing has been complained of.
void complain_of(const rig::MemberProblem& problem, SectionReader& section) {
  if (!problem.empty() && section.has(problem.member)) {
    section.complain_as_is(problem.member, problem.text);
  }
}

rig::Fault read_fault(SectionReader& section) {
  rig::Fault fault;
  fault.sensor = static_cast<rig::Sensor>(section.choice("sensor", rig::sensor_names()));
  fault.kind = static_cast<rig::FaultKind>(section.choice("kind", rig::fault_names()));
  fault.size = read_size(section, rig::size_rule(fault.sensor, fault.kind));
  fault.at_s = section.number("at_s");
  fault.until_s = section.optional_number("until_s").value_or(rig::kForever_s);
  complain_of(rig::problem_with(fault), section);
  return fault;
}

bool has_number(rig::DamageKind kind) {
  return kind == rig::DamageKind::kCrackedLink || kind == rig::DamageKind::kWornBar;
}

rig::Damage read_damage(SectionReader& section, const drive::DriveSpec& drive) {
  rig::Damage damage;
  damage.kind = static_cast<rig::DamageKind>(section.choice("kind", rig::damage_names()));
  if (has_number(damage.kind)) {
    damage.number = static_cast<int>(section.whole("number", 1, drive::kMaxLinks));
  }
  damage.size = section.number("size");
  damage.at_s = section.number("at_s");
  damage.until_s = section.optional_number("until_s").value_or(damage.at_s);
  complain_of(rig::problem_with(damage, drive), section);
  return damage;
}

}  // namespace

RigSchedule read_rig_schedule(const std::string& file, const drive::DriveSpec& drive) {
  RigSchedule schedule;
  read_sections(
      file,
      {{"fault", [&](SectionReader& section) { schedule.faults.push_back(read_fault(section)); }},
       {"damage",
        [&](SectionReader& section) { schedule.damages.push_back(read_damage(section, drive)); }}});
  return schedule;
}

std::vector<rig::TorqueOrder> read_torque_orders(const std::string& file) {
  std::vector<rig::TorqueOrder> orders;
  read_sections(file, {{"order", [&](SectionReader& section) {
                          rig::TorqueOrder order;
                          order.order = static_cast<int>(section.whole("order", 1, rig::kMaxOrder));
                          order.amplitude_N_m =
                              section.number("amplitude_N_m", 0, kMostTorque_N_m, "N m");
                          if (section.has("phase_rad")) {
                            order.phase_rad =
                                section.number("phase_rad", -kMostPhase_rad, kMostPhase_rad, "rad");
                          }
                          orders.push_back(order);
                        }}});
  return orders;
}

}  // namespace taut::tool
