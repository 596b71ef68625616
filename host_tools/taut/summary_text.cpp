#include <cmath>
#include <numbers>

#include "host_tools/taut/schema.h"
#include "host_tools/taut/summary.h"
#include "host_tools/taut/text.h"
#include "sim_core/drive/links.h"

namespace taut::tool {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

std::string degrees(double angle_rad) {
  return fixed(angle_rad * kDegrees, 1);
}

// 12.3 kN, 456 N: an engineer's prefix.
std::string with_prefix(double value, const std::string& unit) {
  struct Prefix {
    double factor;
    const char* letter;
  };
  for (const Prefix prefix : {Prefix{1e9, "G"}, Prefix{1e6, "M"}, Prefix{1e3, "k"}}) {
    if (std::abs(value) >= prefix.factor) {
      return fixed(value / prefix.factor, 2) + " " + prefix.letter + unit;
    }
  }
  return fixed(value, std::abs(value) < 10 ? 3 : 1) + " " + unit;
}

std::string whole_numbers_around(double value) {
  const double low = std::floor(value);
  return low == value ? fixed(low, 0) : fixed(low, 0) + " or " + fixed(low + 1, 0);
}

// Lengths to 0.1 mm for engines, to 0.001 mm for small drives.
int decimals_for(const drive::DriveSpec& spec) {
  return spec.chain.pitch_m < 0.03 ? 6 : 4;
}

std::string side(drive::Side value) {
  return value == drive::Side::kInside ? "inside" : "outside";
}

std::string lining(const drive::GuideBarSpec& bar, const BarSummary& summary) {
  const bool rubber = bar.lining == drive::BarLining::kRubber;
  const std::string found =
      (rubber ? "rubber, " : "stiff, ") + with_prefix(summary.stiffness_N_m_n, "N/m^n");
  return bar.condition == drive::BarCondition::kMissing ? "bar is missing" : found;
}

std::string chain_text(const drive::DriveSpec& spec, const DriveSummary& summary) {
  const int decimals = decimals_for(spec);
  const drive::ChainSpec& chain = spec.chain;
  TextTable table({"", "", ""});
  table.left(0);
  table.left(1);
  table.left(2);
  const auto row = [&](const char* what, const std::string& value, const std::string& note = "") {
    table.add({what, value, note});
  };
  row("links x pitch", std::to_string(chain.links) + " x " + general(chain.pitch_m * 1000) + " mm",
      "= " + fixed(chain.links * chain.pitch_m, decimals) + " m");
  if (drive::mean_elongation(spec) != 0) {
    row("mean elongation", fixed(drive::mean_elongation(spec) * 100, 4) + " %",
        "= " + fixed(summary.chain_length_m, decimals) + " m");
  }
  row("loop length", fixed(summary.loop_m, decimals) + " m",
      "at rest, on pitch circles and straight strands");
  row("strain at placement", fixed(summary.strain * 100, 4) + " %",
      "= " + fixed((summary.loop_m - summary.chain_length_m) * 1000, 2) + " mm, or " +
          with_prefix(summary.placement_tension_N, "N") + " on seats that do not give way");
  row("link stiffness", with_prefix(chain.link_stiffness_N_m, "N/m"),
      "damping " + with_prefix(chain.link_damping_N_s_m, "N s/m"));
  row("roller mass", general(chain.roller_mass_kg) + " kg",
      "chain " + fixed(chain.links * chain.roller_mass_kg, 2) + " kg");
  row("crankshaft", general(spec.crank.speed_rpm) + " rpm",
      spec.crank.rotation == drive::Rotation::kCounterClockwise ? "counter-clockwise"
                                                                : "clockwise");
  row("chain speed", fixed(summary.speed_m_s, 3) + " m/s",
      "centrifugal tension " + with_prefix(summary.centrifugal_tension_N, "N"));
  row("tooth frequency", fixed(summary.tooth_frequency_Hz, 2) + " Hz");
  std::string text = table.text();
  return text.substr(text.find('\n') + 1);  // without the empty header
}

std::string wraps_text(const drive::DriveSpec& spec, const DriveSummary& summary) {
  const int decimals = decimals_for(spec);
  TextTable table({"sprocket", "teeth", "pitch radius m", "centre x m", "y m", "wrap deg",
                   "seated rollers", "rpm", "turns"});
  constexpr std::size_t kTurns = 8;
  table.left(kTurns);
  for (std::size_t i = 0; i < summary.wraps.size(); ++i) {
    const WrapSummary& wrap = summary.wraps[i];
    const drive::SprocketSpec& sprocket = spec.sprockets[i];
    const bool outside = sprocket.side == drive::Side::kOutside;
    table.add({std::to_string(i + 1), std::to_string(sprocket.teeth),
               fixed(wrap.pitch_radius_m, decimals), fixed(sprocket.centre_x_m, decimals),
               fixed(sprocket.centre_y_m, decimals), degrees(wrap.angle_rad),
               whole_numbers_around(wrap.seated_rollers), fixed(std::abs(wrap.speed_rpm), 1),
               std::string(wrap.speed_rpm < 0 ? "clockwise" : "counter-clockwise") +
                   (outside ? ", outside the loop" : "")});
  }
  return table.text();
}

std::string strands_text(const drive::DriveSpec& spec, const DriveSummary& summary) {
  TextTable table({"strand", "from - to", "length m", "pitches", "direction deg", "tangent"});
  constexpr std::size_t kTangent = 5;
  table.left(1);
  table.left(kTangent);
  for (std::size_t i = 0; i < summary.strands.size(); ++i) {
    const StrandSummary& strand = summary.strands[i];
    const std::size_t next = (i + 1) % summary.strands.size();
    table.add({std::to_string(i + 1), std::to_string(i + 1) + " - " + std::to_string(next + 1),
               fixed(strand.length_m, decimals_for(spec)), fixed(strand.length_pitches, 2),
               degrees(strand.direction_rad), strand.inner ? "inner" : "outer"});
  }
  return table.text();
}

std::string supports_text(const drive::DriveSpec& spec) {
  std::string text;
  for (std::size_t i = 0; i < spec.sprockets.size(); ++i) {
    const drive::SprocketSpec& sprocket = spec.sprockets[i];
    if (sprocket.support_stiffness_N_m > 0) {
      const double mass_kg = sprocket.mass_kg + sprocket.counterweight_mass_kg;
      const double own_Hz =
          std::sqrt(sprocket.support_stiffness_N_m / mass_kg) / (2 * std::numbers::pi);
      text += "  support of sprocket " + std::to_string(i + 1) + ": " +
              with_prefix(sprocket.support_stiffness_N_m, "N/m") + ", " + general(mass_kg) +
              " kg: " + fixed(own_Hz, 1) + " Hz without the chain\n";
    }
  }
  return text.empty() ? "" : "\n" + text;
}

std::string counterweights_text(const drive::DriveSpec& spec, const DriveSummary& summary) {
  std::string text;
  for (std::size_t i = 0; i < spec.sprockets.size(); ++i) {
    const drive::SprocketSpec& sprocket = spec.sprockets[i];
    if (sprocket.counterweight_mass_kg > 0) {
      const double speed_rad_s = summary.wraps[i].speed_rpm / 60 * 2 * std::numbers::pi;
      const double force_N = sprocket.counterweight_mass_kg * sprocket.counterweight_radius_m *
                             speed_rad_s * speed_rad_s;
      text += "  counterweight of sprocket " + std::to_string(i + 1) + ": " +
              general(sprocket.counterweight_mass_kg) + " kg at " +
              general(sprocket.counterweight_radius_m) + " m, " +
              degrees(sprocket.counterweight_angle_rad) +
              " deg at crank angle 0: " + with_prefix(force_N, "N") + " centrifugal force\n";
    }
  }
  return text.empty() ? "" : "\n" + text;
}

std::string bars_text(const drive::DriveSpec& spec, const DriveSummary& summary) {
  if (summary.bars.empty()) {
    return "";
  }
  const int decimals = decimals_for(spec) - 1;
  TextTable table({"guide-bar", "strand", "place %", "from m", "to m", "flat m", "ends m",
                   "end radius m", "pressed mm", "side", "lining"});
  constexpr std::size_t kSide = 9;
  constexpr std::size_t kLining = 10;
  table.left(kSide);
  table.left(kLining);
  for (std::size_t i = 0; i < summary.bars.size(); ++i) {
    const drive::GuideBarSpec& bar = spec.guide_bars[i];
    table.add({std::to_string(i + 1), std::to_string(bar.strand), fixed(bar.place * 100, 1),
               fixed(summary.bars[i].begin_m, decimals), fixed(summary.bars[i].end_m, decimals),
               fixed(bar.flat_length_m, decimals), fixed(bar.end_length_m, decimals),
               fixed(bar.end_radius_m, decimals), fixed(summary.bars[i].pressed_m * 1000, 2),
               side(bar.side), lining(bar, summary.bars[i])});
  }
  return "\n" + table.text();
}

std::string special_links_text(const drive::DriveSpec& spec) {
  if (spec.special_links.empty()) {
    return "";
  }
  TextTable table({"link", "length mm", "stiffness MN/m"});
  for (const drive::LinkSpec& link : spec.special_links) {
    const auto index = static_cast<std::size_t>(link.number - 1);
    table.add({std::to_string(link.number), fixed(drive::link_length_m(spec, index) * 1e3, 3),
               fixed(drive::link_stiffness_N_m(spec, index) / 1e6, 2)});
  }
  return "\n" + table.text();
}

std::string hydraulic_text(const drive::DriveSpec& spec, const TightenerSummary& s) {
  const drive::HydraulicSpec& unit = spec.hydraulic;
  return std::string("  hydraulic unit: ") +
         (unit.acts == drive::Acts::kPull ? "pulls " : "pushes ") +
         with_prefix(s.oil_force_N, "N") + " at rest by its chamber of " +
         with_prefix(s.rest_pressure_Pa, "Pa") + "; oil " +
         with_prefix(s.oil_stiffness_N_m, "N/m") + ", leaks down in " + fixed(s.leak_down_s, 3) +
         " s if held; travel " + fixed(-unit.travel_in_m * 1000, 1) + " to " +
         fixed(unit.travel_out_m * 1000, 1) + " mm\n";
}

std::string tightener_text(const drive::DriveSpec& spec, const DriveSummary& summary) {
  const drive::TightenerSpec& t = spec.tightener;
  if (t.kind == drive::TightenerKind::kNone) {
    return "\n  tightener: none\n";
  }
  std::string text = "\n  tightener: sprocket " + std::to_string(t.sprocket);
  if (t.kind == drive::TightenerKind::kFixed) {
    return text + ", fixed\n";
  }
  const TightenerSummary& s = summary.tightener;
  const int decimals = decimals_for(spec);
  text += " on an arm, hinge (" + fixed(t.pivot_x_m, decimals) + ", " +
          fixed(t.pivot_y_m, decimals) + ") m, axle " + fixed(s.arm_m, decimals) + " m away at " +
          degrees(s.arm_angle_rad) + " deg\n";
  text += "  spring: " + fixed(s.spring_length_m, decimals) + " m long, free " +
          fixed(t.spring_free_length_m, decimals) + " m, " +
          with_prefix(t.spring_stiffness_N_m, "N/m") + ": " +
          (s.spring_force_N < 0 ? "pulls " : "pushes ") +
          with_prefix(std::abs(s.spring_force_N), "N") + " as drawn\n";
  return t.kind == drive::TightenerKind::kHydraulic ? text + hydraulic_text(spec, s) : text;
}

}  // namespace

std::string to_text(const drive::DriveSpec& spec, const DriveSummary& summary) {
  return std::string(spec.name.data(), spec.name.size()) + "\n\n" + chain_text(spec, summary) +
         "\n" + wraps_text(spec, summary) + supports_text(spec) +
         counterweights_text(spec, summary) + "\n" + strands_text(spec, summary) +
         bars_text(spec, summary) + special_links_text(spec) + tightener_text(spec, summary);
}

}  // namespace taut::tool
