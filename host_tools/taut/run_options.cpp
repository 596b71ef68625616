#include "host_tools/taut/run_options.h"

#include <cmath>

#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

constexpr double kShortest_s = 1e-6;
constexpr double kLongest_s = 1e5;
constexpr int kHighestOrder = 1000;

void add_crank_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("--speed-rpm", options.speed_rpm,
                  "mean speed of the crankshaft (default: the drive's)")
      ->check(between(0.01, 20000, "rpm"));
  command
      .add_option("--order", options.order,
                  "acceleration of so many periods a crank turn, A sin(K angle)")
      ->type_name("K")
      ->check(whole_between(1, kHighestOrder));
  command.add_option("--accel-amplitude", options.accel_amplitude_rad_s2, "its A, in rad/s^2")
      ->type_name("A")
      ->check(between(0, 1e5, "rad/s^2"));
  command
      .add_option("--accel-table", options.accel_table,
                  "CSV: crank angle in degrees, acceleration in rad/s^2; equally spaced over one "
                  "turn from 0 on. Its mean is removed")
      ->type_name("FILE");
  command
      .add_option("--accel-series", options.accel_series,
                  "CSV: time in s, acceleration in rad/s^2; equally spaced, the first row at the "
                  "start of the run. After its end the speed stays")
      ->type_name("FILE");
  command
      .add_option("--fade-in-s", options.fade_in_s,
                  "time in which order and table grow to their full size (default 1)")
      ->check(between(0, kLongest_s, "s"));
  command
      .add_option("--start", options.start,
                  "speed: chain and sprockets move from the first step on; rest: the crankshaft "
                  "runs up from standstill (default speed)")
      ->check(CLI::IsMember({"speed", "rest"}));
  command.add_option("--run-up-s", options.run_up_s, "how long it runs up (default 2)")
      ->check(between(1e-3, kLongest_s, "s"));
}

void add_drive_shape_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("--profile", options.profile,
                  "form of the tooth gaps (contact.form; default: as the drive says)")
      ->check(CLI::IsMember({"real", "circular"}));
  command
      .add_option("--start-phase", options.start_phase,
                  "where the rollers are placed first, in pitches, from 0 to below 1 (default 0)")
      ->check(between(0, 0.999999, "pitches"));
}

void add_time_options(CLI::App& command, RunOptions& options) {
  command.add_option("--duration-s", options.duration_s, "how long the drive runs (default 10)")
      ->check(between(kShortest_s, kLongest_s, "s"));
  command
      .add_option("--stats-from-s", options.stats_from_s,
                  "statistics are of what comes after (default: half the duration)")
      ->check(between(0, kLongest_s, "s"));
  command
      .add_option("--step-us", options.step_us,
                  "step of integration, in microseconds (default: 0.72 of what the drive's links "
                  "allow; at most 0.95)")
      ->check(between(0.01, 1e6, "us"));
  command
      .add_option("--integrator", options.integrator,
                  "euler: semi-implicit Euler; verlet: velocity Verlet (default euler)")
      ->check(CLI::IsMember({"euler", "verlet"}));
  command
      .add_option(
          "--precision", options.precision,
          "double; mixed: places in double, forces in float; float (default double; other models "
          "than roller: float)")
      ->check(CLI::IsMember({"double", "mixed", "float"}));
}

void add_tag_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("--tag-link", options.tag_link,
                  "number of the link that is followed round the loop (default 1)")
      ->type_name("N");
  command
      .add_option("--tag-roller", options.tag_roller,
                  "number of the roller that is followed (default 1)")
      ->type_name("N");
}

}  // namespace

CLI::Validator between(double lowest, double highest, const std::string& unit) {
  const std::string allowed =
      "allowed " + general(lowest) + " to " + general(highest) + (unit.empty() ? "" : " " + unit);
  const auto check = [=](std::string& text) -> std::string {
    double value = std::nan("");
    const bool number = CLI::detail::lexical_cast(text, value);
    return number && value >= lowest && value <= highest ? "" : text + ": " + allowed;
  };
  return {check, "", unit};  // help shows no validator's name: a place for unit_of()
}

CLI::Validator whole_between(int lowest, int highest) {
  const auto check = [=](std::string& text) -> std::string {
    int value = 0;
    const bool number = CLI::detail::lexical_cast(text, value);
    return number && value >= lowest && value <= highest
               ? ""
               : text + ": allowed " + std::to_string(lowest) + " to " + std::to_string(highest) +
                     ", whole numbers";
  };
  return {check, "", ""};
}

std::string unit_of(CLI::Option& option) {
  try {
    return option.get_validator(0)->get_name();
  } catch (const CLI::OptionNotFound&) {  // it has none
    return "";
  }
}

void add_run_options(CLI::App& command, RunOptions& options) {
  add_rest_settings(command, options.rest);
  command
      .add_option("--model", options.model,
                  "roller: every roller, every tooth; in steps of 0.5 ms, for microcontrollers: "
                  "implicit: the same rollers and teeth, for a fast one; reduced: few states, for "
                  "a small one (default roller)")
      ->check(CLI::IsMember({kRollerModel, kImplicitModel, kReducedModel}));
  add_crank_options(command, options);
  add_drive_shape_options(command, options);
  add_time_options(command, options);
  add_tag_options(command, options);
  command.add_flag("--json", options.json, "print JSON instead of tables");
}

void add_block_option(CLI::App& command, RunOptions& options) {
  command
      .add_option("--block", options.block,
                  "run the reduced model from this file of taut reduce, not from a new reduction")
      ->type_name("FILE");
}

void add_outputs_options(CLI::App& command, RunOptions& options) {
  CLI::Option* out =
      command.add_option("--out", options.out, "write all outputs over time into this CSV file")
          ->type_name("FILE");
  command
      .add_option("--out-interval-s", options.out_interval_s,
                  "time from row to row, rounded to whole steps (default 0.0005)")
      ->check(between(kShortest_s, kLongest_s, "s"))
      ->needs(out);
}

}  // namespace taut::tool
