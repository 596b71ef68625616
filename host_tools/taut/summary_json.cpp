#include <nlohmann/json.hpp>
#include <type_traits>

#include "host_tools/taut/schema.h"
#include "host_tools/taut/summary.h"
#include "sim_core/drive/fields.h"

namespace taut::tool {
namespace {

using Json = nlohmann::ordered_json;

template <typename Section>
Json values_of(const Section& section) {
  Json values = Json::object();
  for (const auto& field : drive::fields<Section>()) {
    const double value = field.get(section);
    Json& entry = values[to_std(field.key)];
    if (field.kind == drive::FieldKind::kChoice) {
      entry = to_std(field.choices[static_cast<std::size_t>(value)]);
    } else if (field.kind == drive::FieldKind::kInteger) {
      entry = static_cast<int>(value);
    } else {
      entry = value;
    }
  }
  return values;
}

// The drive itself, as its file has it, defaults filled in.
Json drive_json(const drive::DriveSpec& spec) {
  Json json = Json::object();
  drive::for_each_section(spec, [&](const auto& section, int index) {
    using Section = std::decay_t<decltype(section)>;
    Json& place = json[to_std(drive::section_name<Section>())];
    if (index > 0) {
      place.push_back(values_of(section));
    } else {
      place = values_of(section);
    }
  });
  return json;
}

}  // namespace

Json to_json(const drive::DriveSpec& spec, const DriveSummary& summary) {
  Json json = {{"name", std::string(spec.name.data(), spec.name.size())},
               {"chain_length_m", summary.chain_length_m},
               {"loop_m", summary.loop_m},
               {"strain", summary.strain},
               {"placement_tension_N", summary.placement_tension_N},
               {"speed_m_s", summary.speed_m_s},
               {"tooth_frequency_Hz", summary.tooth_frequency_Hz},
               {"centrifugal_tension_N", summary.centrifugal_tension_N}};
  json["strands"] = Json::array();
  for (const StrandSummary& strand : summary.strands) {
    json["strands"].push_back({{"length_m", strand.length_m},
                               {"length_pitches", strand.length_pitches},
                               {"direction_rad", strand.direction_rad},
                               {"inner", strand.inner}});
  }
  json["wraps"] = Json::array();
  for (const WrapSummary& wrap : summary.wraps) {
    json["wraps"].push_back({{"angle_rad", wrap.angle_rad},
                             {"pitch_radius_m", wrap.pitch_radius_m},
                             {"seated_rollers", wrap.seated_rollers},
                             {"speed_rpm", wrap.speed_rpm}});
  }
  json["guide_bars"] = Json::array();
  for (const BarSummary& bar : summary.bars) {
    json["guide_bars"].push_back({{"begin_m", bar.begin_m},
                                  {"end_m", bar.end_m},
                                  {"rollers", bar.rollers},
                                  {"pressed_m", bar.pressed_m},
                                  {"stiffness_N_m_n", bar.stiffness_N_m_n}});
  }
  if (drive::has_arm(spec.tightener.kind)) {
    json["tightener"] = {{"arm_m", summary.tightener.arm_m},
                         {"arm_angle_rad", summary.tightener.arm_angle_rad},
                         {"spring_length_m", summary.tightener.spring_length_m},
                         {"spring_force_N", summary.tightener.spring_force_N}};
  }
  if (spec.tightener.kind == drive::TightenerKind::kHydraulic) {
    json["tightener"]["rest_pressure_Pa"] = summary.tightener.rest_pressure_Pa;
    json["tightener"]["oil_force_N"] = summary.tightener.oil_force_N;
    json["tightener"]["oil_stiffness_N_m"] = summary.tightener.oil_stiffness_N_m;
    json["tightener"]["leak_down_s"] = summary.tightener.leak_down_s;
  }
  json["drive"] = drive_json(spec);
  return json;
}

}  // namespace taut::tool
