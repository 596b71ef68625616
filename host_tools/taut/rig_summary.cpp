#include "host_tools/taut/rig_summary.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>

#include "host_tools/taut/run_report.h"
#include "host_tools/taut/run_request.h"
#include "host_tools/taut/text.h"
#include "sim_core/math/constants.h"
#include "sim_core/roller_chain/step_size.h"

namespace taut::tool {
namespace {

using RigJson = nlohmann::ordered_json;

std::string percent(double factor) {
  return (factor < 1 ? "" : "+") + fixed(100 * (factor - 1), 1) + " %";
}

std::string drawn_text(const rig::Drawn& drawn) {
  return "  drive as drawn by the seed: contact stiffness " +
         percent(drawn.contact_stiffness_factor) + ", friction " + percent(drawn.friction_factor) +
         ", joint damping " + percent(drawn.joint_damping_factor) + ", link damping " +
         percent(drawn.link_damping_factor) + ";\n    sprocket " + std::to_string(drawn.sprocket) +
         " off by (" + fixed(drawn.centre_x_m * 1e3, 3) + ", " + fixed(drawn.centre_y_m * 1e3, 3) +
         ") mm, link " + std::to_string(drawn.link) + " longer by " +
         fixed(100 * drawn.link_elongation, 3) + " %\n";
}

RigJson drawn_json(const rig::Drawn& drawn) {
  return {{"contact_stiffness_factor", drawn.contact_stiffness_factor},
          {"friction_factor", drawn.friction_factor},
          {"joint_damping_factor", drawn.joint_damping_factor},
          {"link_damping_factor", drawn.link_damping_factor},
          {"sprocket", drawn.sprocket},
          {"centre_m", {drawn.centre_x_m, drawn.centre_y_m}},
          {"link", drawn.link},
          {"link_elongation", drawn.link_elongation}};
}

RigJson range_json(const Range& range, double unit) {
  return {
      {"mean", range.mean() / unit}, {"min", range.lowest / unit}, {"max", range.highest / unit}};
}

std::string plant_hash_text(const rig::Rig& rig) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016" PRIx64, rig.plant_hash());
  return text.data();
}

}  // namespace

void Range::add(double value) {
  lowest = count == 0 ? value : std::min(lowest, value);
  highest = count == 0 ? value : std::max(highest, value);
  sum += value;
  ++count;
}

// Fourier's integral over the angle, from the first tick of a turn to the last: a tick is some
// 1/1500 of a turn. Turns that are not whole at the end do not count.
void RigSummary::add_orders(const rig::Truth& truth) {
  const double angle_rad = truth.crank.angle_rad;
  if (angle_rad < last_angle_rad_ - math::kPi<double>) {
    if (in_turn_) {
      ++turns_;
      for (std::size_t k = 1; k < now_.integral.size(); ++k) {
        whole_.integral[k] += now_.integral[k];
      }
      whole_.angle_rad += now_.angle_rad;
    }
    in_turn_ = true;
    now_ = {};
  }
  last_angle_rad_ = angle_rad;
  const double part_rad = truth.crank.speed_rad_s * roller_chain::kTick_s;
  for (std::size_t k = 1; k < now_.integral.size(); ++k) {
    now_.integral[k] += truth.crank.acceleration_rad_s2 * part_rad *
                        std::polar(1.0, static_cast<double>(k) * angle_rad);
  }
  now_.angle_rad += part_rad;
}

std::vector<double> RigSummary::amplitudes_rad_s2() const {
  std::vector<double> amplitudes;
  for (std::size_t k = 1; k < whole_.integral.size() && turns_ > 0; ++k) {
    amplitudes.push_back(2 * std::abs(whole_.integral[k]) / whole_.angle_rad);
  }
  return amplitudes;
}

void RigSummary::add(const rig::Rig::Tick& tick) {
  for (std::size_t i = 0; i < tick.frame.edges; ++i) {
    ++(tick.frame.edge[i].kind == signal::EdgeKind::kTooth ? teeth_ : indices_);
  }
  edges_lost_ = tick.frame.edges_lost;
  if (ticks_++ < begin_) {
    return;
  }
  speed_rad_s_.add(tick.truth.crank.speed_rad_s);
  acceleration_rad_s2_.add(tick.truth.crank.acceleration_rad_s2);
  link_N_.add(static_cast<double>(tick.truth.chain.tagged_link_N));
  tightener_m_.add(tick.truth.tightener_position_m);
  add_orders(tick.truth);
}

std::string RigSummary::text(const rig::RigSpec& spec, const rig::Rig& rig) const {
  constexpr double kShown = 0.005;  // rad/s^2
  const ForceUnit unit = unit_for(link_N_.highest);
  const std::vector<double> amplitudes = amplitudes_rad_s2();
  std::vector<std::string> orders;
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    if (amplitudes[i] >= kShown) {
      orders.push_back(std::to_string(i + 1) + ": " + fixed(amplitudes[i], 2));
    }
  }
  const auto force = [&](double force_N) { return fixed(force_N / unit.N, 2); };
  return std::string(spec.drive.name.c_str()) + " on the bench, seed " + std::to_string(spec.seed) +
         ": " + general(rig.time_s()) + " s, statistics of the second half\n" + "  crank: mean " +
         fixed(to_rpm(speed_rad_s_.mean()), 3) + " rpm, " + fixed(to_rpm(speed_rad_s_.lowest), 3) +
         " to " + fixed(to_rpm(speed_rad_s_.highest), 3) + " rpm; " +
         (spec.prescribed ? "motion prescribed" : "driven by gas torque") +
         "\n  acceleration by order [rad/s^2]: " +
         (amplitudes.empty() ? "no whole turn"
          : orders.empty()   ? "none"
                             : joined(orders)) +
         "\n  link " + std::to_string(spec.tags.link + 1) + ": mean " + force(link_N_.mean()) +
         " " + unit.name + ", " + force(link_N_.lowest) + " to " + force(link_N_.highest) + " " +
         unit.name + "\n  tightener: mean " + fixed(tightener_m_.mean() * 1e3, 4) + " mm, " +
         fixed(tightener_m_.lowest * 1e3, 4) + " to " + fixed(tightener_m_.highest * 1e3, 4) +
         " mm\n  edges: " + std::to_string(teeth_) + " of teeth, " + std::to_string(indices_) +
         " of the index mark, " + std::to_string(edges_lost_) + " lost\n" + drawn_text(rig.drawn());
}

RigJson RigSummary::json(const rig::RigSpec& spec, const rig::Rig& rig) const {
  const double rpm = to_rad_s(1);
  RigJson json;
  json["name"] = spec.drive.name.c_str();
  json["seed"] = spec.seed;
  json["duration_s"] = rig.time_s();
  json["step_s"] = rig.plant_step_s();
  json["prescribed"] = spec.prescribed.has_value();
  json["speed_rpm"] = range_json(speed_rad_s_, rpm);
  json["acceleration_rad_s2"] = range_json(acceleration_rad_s2_, 1);
  json["turns"] = turns_;
  json["order_amplitudes_rad_s2"] = amplitudes_rad_s2();
  json["link_N"] = range_json(link_N_, 1);
  json["tightener_m"] = range_json(tightener_m_, 1);
  json["edges"] = {{"teeth", teeth_}, {"index", indices_}, {"lost", edges_lost_}};
  json["drawn"] = drawn_json(rig.drawn());
  json["state_hash"] = plant_hash_text(rig);
  return json;
}

}  // namespace taut::tool
