#include <algorithm>
#include <cmath>

#include "host_tools/taut/run_report.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

constexpr std::size_t kPeaksShown = 3;

std::string main_frequencies(const std::vector<double>& peaks_Hz) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(peaks_Hz.size(), kPeaksShown); ++i) {
    words.push_back(fixed(peaks_Hz[i], 2));
  }
  return words.empty() ? "-" : joined(words);
}

std::string strands_text(const RunStatistics& found, const ForceUnit& unit) {
  const std::string in_unit = std::string(" [") + unit.name + "]";
  TextTable table({"strand", "mean" + in_unit, "sd" + in_unit, "99.9 %" + in_unit, "max" + in_unit,
                   "middle sd [mm]", "main frequencies [Hz]"});
  for (std::size_t s = 0; s < found.strands.size(); ++s) {
    const StrandStatistics& strand = found.strands[s];
    const auto force = [&](double force_N) { return fixed(force_N / unit.N, 2); };
    table.add({std::to_string(s + 1), force(strand.tension.mean_N), force(strand.tension.sd_N),
               force(strand.tension.p999_N), force(strand.tension.max_N),
               fixed(strand.mid_sd_m * 1e3, 3), main_frequencies(strand.peaks_Hz)});
  }
  return table.text() +
         "  tension and displacement at each strand's middle, frequencies of the "
         "tension\n";
}

std::string forces_text(const RunRequest& request, const RunStatistics& found,
                        const ForceUnit& unit) {
  const auto force = [&](double force_N) { return fixed(force_N / unit.N, 2) + " " + unit.name; };
  const ForceStatistics& link = found.tagged_link;
  std::string text = "  link " + std::to_string(request.tags.link + 1) + ": mean " +
                     force(link.mean_N) + ", sd " + force(link.sd_N) + ", 99.9 % " +
                     force(link.p999_N) + ", max " + force(link.max_N) + "\n";
  text += "  largest force of any link: " + force(found.link_max_N);
  const double breaking_N = request.spec.chain.breaking_load_N;
  if (breaking_N > 0) {
    text += ", " + fixed(100 * found.link_max_N / breaking_N, 1) + " % of the breaking load";
  }
  return text + "\n  teeth: largest force " + force(found.contact_max_N) + "; roller " +
         std::to_string(request.tags.roller + 1) + " mean " + force(found.tagged_roller_mean_N) +
         ", max " + force(found.tagged_roller_max_N) + "\n";
}

std::string bearings_text(const RunStatistics& found, const ForceUnit& unit) {
  const std::string in_unit = std::string(" [") + unit.name + "]";
  TextTable table({"bearing", "mean x" + in_unit, "mean y" + in_unit, "max" + in_unit,
                   "support yields, max [mm]"});
  for (std::size_t s = 0; s < found.bearings.size(); ++s) {
    const BearingStatistics& bearing = found.bearings[s];
    table.add({std::to_string(s + 1), fixed(bearing.mean_x_N / unit.N, 2),
               fixed(bearing.mean_y_N / unit.N, 2), fixed(bearing.max_N / unit.N, 2),
               bearing.offset_max_m > 0 ? fixed(bearing.offset_max_m * 1e3, 3) : "-"});
  }
  return table.text();
}

std::string tightener_text(const RunRequest& request, const TightenerStatistics& tightener,
                           const ForceUnit& unit) {
  constexpr double kBar_Pa = 1e5;
  constexpr double kLitres_min = 6e4;  // in a m^3/s
  if (request.spec.tightener.kind == drive::TightenerKind::kNone) {
    return "";
  }
  const std::string at = "  tightener: sprocket at (" + fixed(tightener.centre_x_m, 5) + ", " +
                         fixed(tightener.centre_y_m, 5) + ") m";
  if (request.spec.tightener.kind == drive::TightenerKind::kFixed) {
    return at + ", fixed\n";
  }
  std::string arm = at + ", arm turned by " + fixed(tightener.arm_angle_rad * 1e3, 3) +
                    " mrad, sd " + fixed(tightener.arm_sd_rad * 1e3, 3) +
                    " mrad; main frequencies " + main_frequencies(tightener.com_peaks_Hz) + " Hz\n";
  if (request.spec.tightener.kind != drive::TightenerKind::kHydraulic) {
    return arm;
  }
  return arm + "  hydraulic unit: with its spring " +
         (tightener.force_mean_N < 0 ? "pushes " : "pulls ") +
         fixed(std::abs(tightener.force_mean_N) / unit.N, 2) + " " + unit.name + ", travel " +
         fixed(tightener.travel_mean_m * 1e3, 3) + " mm; chamber " +
         fixed(tightener.pressure_mean_Pa / kBar_Pa, 2) + " bar, max " +
         fixed(tightener.pressure_max_Pa / kBar_Pa, 2) + " bar; oil " +
         fixed(tightener.flow_mean_m3_s * kLitres_min, 3) + " l/min\n";
}

std::string crank_text(const RunRequest& request, const RunResult& result) {
  const std::string text =
      "  crankshaft: mean speed " + fixed(to_rpm(result.statistics.crank_mean_rad_s), 3) + " rpm";
  return request.crank.table_rad_s2 ? text + "; mean of the table removed, " +
                                          general(result.table_mean_removed_rad_s2) + " rad/s^2\n"
                                    : text + "\n";
}

std::string watts(double power_W) {
  return fixed(power_W, std::abs(power_W) < 10 ? 3 : 1);
}

std::string powers_text(const RunStatistics& found) {
  std::vector<std::string> taken;
  std::string given =
      std::string(kPowerColumns[0].in_words) + " gives " + fixed(found.power_W[0], 1) + " W";
  for (std::size_t i = 1; i < kGivers; ++i) {
    if (found.power_W[i] != 0) {
      given += ", " + std::string(kPowerColumns[i].in_words) + " " + watts(found.power_W[i]) + " W";
    }
  }
  for (std::size_t i = kGivers; i < kPowerColumns.size(); ++i) {
    if (found.power_W[i] != 0) {
      taken.push_back(std::string(kPowerColumns[i].in_words) + " " + watts(found.power_W[i]));
    }
  }
  return "  power: " + given + "; taken in W: " + (taken.empty() ? "none" : joined(taken)) + "\n";
}

std::string steady_text(const SteadyReport& steady) {
  if (!steady.judged) {
    return "";
  }
  if (steady.turns == 0) {
    return "  steady: not known, the run is shorter than one crank turn\n";
  }
  const std::string last = "in the last turn the crankshaft gave " +
                           fixed(std::abs(steady.last_imbalance) * 100, 1) + " % " +
                           (steady.last_imbalance < 0 ? "less" : "more") + " than the drive lost";
  return steady.reached ? "  steady: since " + fixed(steady.from_s, 2) + " s; " + last + "\n"
                        : "  steady: no; " + last +
                              "; run longer (--duration-s) or in smaller steps "
                              "(--step-us)\n";
}

std::string health_text(const RunRequest& request, const HealthSteps& steps) {
  if (!request.is_reduced()) {
    return "";
  }
  std::vector<std::string> words;
  const auto window = static_cast<double>(request.steps - request.window_begin);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] > 0) {
      words.push_back(std::string(kHealthColumns[i].in_words) + " in " +
                      fixed(100 * static_cast<double>(steps[i]) / window, 1) + " % of the time");
    }
  }
  return "  health: " + (words.empty() ? "good" : joined(words, "; ")) + "\n";
}

std::string computing_text(const RunRequest& request, const RunResult& result) {
  const auto steps = static_cast<double>(request.steps);
  return "  computed: " + fixed(steps, 0) + " steps of " + fixed(request.step.step_s * 1e6, 2) +
         " us in " + fixed(result.wall_s, 2) + " s: " + fixed(steps / result.wall_s, 0) +
         " steps/s, " + fixed(request.duration_s() / result.wall_s, 2) + " x real time (" +
         request.integrator + ", " + request.precision + ")\n";
}

}  // namespace

ForceUnit unit_for(double largest_N) {
  return largest_N >= 1e4 ? ForceUnit{1e3, "kN"} : ForceUnit{1, "N"};
}

std::string words_of(const std::string& model) {
  return model == kReducedModel    ? "reduced"
         : model == kImplicitModel ? "every roller, in steps of a tick"
                                   : "every roller";
}

std::string to_text(const RunRequest& request, const RunResult& result) {
  const RunStatistics& found = result.statistics;
  const ForceUnit unit = unit_for(found.link_max_N);
  const double end_s = request.duration_s();
  return std::string(request.spec.name.c_str()) + " at " +
         general(to_rpm(request.crank.speed_rad_s)) + " rpm, " + words_of(request.model) + ": " +
         general(end_s) + " s, statistics from " + general(request.time_s(request.window_begin)) +
         " s on\n\n" + strands_text(found, unit) + "\n" + bearings_text(found, unit) + "\n" +
         forces_text(request, found, unit) + tightener_text(request, found.tightener, unit) +
         crank_text(request, result) + powers_text(found) + steady_text(result.steady) +
         health_text(request, result.health_steps) + computing_text(request, result);
}

}  // namespace taut::tool
