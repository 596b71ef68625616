#include "host_tools/taut/summary.h"

#include <cmath>

#include "sim_core/drive/drive_model.h"
#include "sim_core/drive/links.h"

namespace taut::tool {
namespace {

StrandSummary strand_summary(const drive::DriveSpec& spec, const drive::Geometry& geometry,
                             std::size_t i) {
  const drive::Strand& strand = geometry.strand[i];
  const std::size_t next = (i + 1) % geometry.sprockets;
  return {strand.length_m, strand.length_m / spec.chain.pitch_m,
          std::atan2(strand.direction.y(), strand.direction.x()),
          geometry.wrap[i].turn * geometry.wrap[next].turn < 0};
}

WrapSummary wrap_summary(const drive::DriveSpec& spec, const drive::Geometry& geometry,
                         std::size_t i) {
  const drive::Wrap& wrap = geometry.wrap[i];
  const double ratio =
      static_cast<double>(spec.sprockets[0].teeth) / static_cast<double>(spec.sprockets[i].teeth);
  return {wrap.angle_rad, wrap.pitch_radius_m, wrap.angle_rad / wrap.pitch_angle_rad,
          wrap.turn * spec.crank.speed_rpm * ratio};
}

BarSummary bar_summary(const drive::DriveSpec& spec, const drive::Geometry& geometry,
                       std::size_t index) {
  const drive::GuideBarSpec& bar = spec.guide_bars[index];
  const double middle_m =
      bar.place * geometry.strand[static_cast<std::size_t>(bar.strand - 1)].length_m;
  const double half_m = bar.flat_length_m / 2 + bar.end_length_m;
  return {middle_m - half_m, middle_m + half_m, bar.flat_length_m / spec.chain.pitch_m,
          bar.indentation_m - bar.wear_m, drive::bar_law_of<double>(spec, index).stiffness_N_m_n};
}

TightenerSummary tightener_summary(const drive::DriveSpec& spec) {
  const drive::TightenerSpec& t = spec.tightener;
  if (t.kind == drive::TightenerKind::kNone) {
    return {};
  }
  const drive::SprocketSpec& sprocket = spec.sprockets[static_cast<std::size_t>(t.sprocket - 1)];
  const double x_m = sprocket.centre_x_m - t.pivot_x_m;
  const double y_m = sprocket.centre_y_m - t.pivot_y_m;
  const double spring_m = std::hypot(t.spring_on_ground_x_m - t.spring_on_arm_x_m,
                                     t.spring_on_ground_y_m - t.spring_on_arm_y_m);
  TightenerSummary summary{};
  summary.arm_m = std::hypot(x_m, y_m);
  summary.arm_angle_rad = std::atan2(y_m, x_m);
  summary.spring_length_m = spring_m;
  summary.spring_force_N = t.spring_stiffness_N_m * (t.spring_free_length_m - spring_m);
  if (t.kind == drive::TightenerKind::kHydraulic) {
    const auto unit = tightener::make_hydraulic_unit<double>(spec.hydraulic, spring_m, 0);
    const double area_m2 = unit.area_m2;
    summary.rest_pressure_Pa = unit.rest_pressure_Pa;
    summary.oil_force_N = area_m2 * unit.rest_pressure_Pa;
    summary.oil_stiffness_N_m = area_m2 * area_m2 * unit.pressure_per_volume_Pa_m3;
    summary.leak_down_s = 1 / (unit.leak_m3_s_Pa * unit.pressure_per_volume_Pa_m3);
  }
  return summary;
}

}  // namespace

DriveSummary summarise(const drive::DriveSpec& spec, const drive::Geometry& geometry) {
  DriveSummary summary{};
  const drive::ChainSpec& chain = spec.chain;
  drive::Geometry worn;
  const bool possible = drive::make_worn_geometry(spec, worn).possible;
  summary.chain_length_m = drive::chain_length_m(spec);
  summary.loop_m = (possible ? worn : geometry).loop_m;
  summary.strain = summary.loop_m / summary.chain_length_m - 1;
  summary.placement_tension_N = chain.link_stiffness_N_m * chain.pitch_m * summary.strain;
  constexpr double kSecondsPerMinute = 60;
  summary.tooth_frequency_Hz = spec.crank.speed_rpm / kSecondsPerMinute * spec.sprockets[0].teeth;
  summary.speed_m_s = summary.tooth_frequency_Hz * chain.pitch_m;
  summary.centrifugal_tension_N =
      chain.roller_mass_kg / chain.pitch_m * summary.speed_m_s * summary.speed_m_s;
  for (std::size_t i = 0; i < geometry.sprockets; ++i) {
    summary.strands.push_back(strand_summary(spec, geometry, i));
    summary.wraps.push_back(wrap_summary(spec, geometry, i));
  }
  for (std::size_t i = 0; i < spec.guide_bars.size(); ++i) {
    summary.bars.push_back(bar_summary(spec, geometry, i));
  }
  summary.tightener = tightener_summary(spec);
  return summary;
}

}  // namespace taut::tool
