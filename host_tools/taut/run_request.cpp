#include "host_tools/taut/run_request.h"

#include <algorithm>
#include <cmath>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/text.h"
#include "sim_core/math/constants.h"

namespace taut::tool {
namespace {

constexpr double kMicroseconds = 1e6;  // in a second; divided by, 25 us is 2.5e-5 s to the bit
constexpr double kDefaultRunUp_s = 2;
// Of models that make one step a tick.
const char* const kReducedIntegrator = "euler";
const char* const kImplicitIntegrator = "generalised-alpha";
const char* const kOnlyPrecision = "float";

[[noreturn]] void refuse(const std::string& text) {
  throw Failure(ExitCode::kWrongUse, text);
}

drive::DriveSpec spec_of(const RunOptions& options) {
  RestRequest rest = options.rest;
  if (!options.profile.empty()) {
    rest.drive.settings.push_back("contact.form=" + options.profile);
  }
  return load_spec(rest);
}

double speed_rpm_of(const RunOptions& options, const drive::DriveSpec& spec) {
  const double speed_rpm = options.speed_rpm.value_or(spec.crank.speed_rpm);
  if (!(speed_rpm > 0)) {
    throw Failure(ExitCode::kWrongDrive, std::string(spec.name.c_str()) +
                                             ": crank.speed_rpm = " + general(speed_rpm) +
                                             ": does not turn; give --speed-rpm, above 0");
  }
  return speed_rpm;
}

// What only makes sense together.
void check_together(const RunOptions& options) {
  if (options.order && !options.accel_amplitude_rad_s2) {
    refuse("--order requires --accel-amplitude; give both or none");
  }
  if (options.accel_amplitude_rad_s2 && !options.order) {
    refuse("--accel-amplitude requires --order; give both or none");
  }
  if (options.run_up_s && options.start != "rest") {
    refuse("--run-up-s " + general(*options.run_up_s) +
           ": there is no run-up at --start speed; add --start rest");
  }
}

CrankRequest crank_of(const RunOptions& options, const drive::DriveSpec& spec,
                      AccelerationFiles& files) {
  CrankRequest crank;
  crank.speed_rad_s = to_rad_s(speed_rpm_of(options, spec));
  crank.run_up_s = options.start == "rest" ? options.run_up_s.value_or(kDefaultRunUp_s) : 0;
  crank.fade_in_s = options.fade_in_s;
  crank.order = options.order.value_or(1);
  crank.order_amplitude_rad_s2 = options.accel_amplitude_rad_s2.value_or(0);
  if (!options.accel_table.empty()) {
    crank.table_rad_s2 = files.table(options.accel_table);
  }
  if (!options.accel_series.empty()) {
    crank.series = files.series(options.accel_series);
  }
  return crank;
}

roller_chain::StepSpec step_of(const RunOptions& options, const drive::DriveSpec& spec) {
  const double default_s = roller_chain::default_step_s(spec);
  const double longest_s = std::min(roller_chain::longest_step_s(spec), roller_chain::kTick_s);
  const double step_s = options.step_us ? *options.step_us / kMicroseconds : default_s;
  if (step_s > longest_s) {
    refuse("--step-us " + general(*options.step_us) + ": the longest step that this drive allows " +
           "is " + fixed(longest_s * kMicroseconds, 3) + " us; the default is " +
           general(default_s * kMicroseconds) + " us");
  }
  return {options.integrator == "verlet" ? roller_chain::Integrator::kVelocityVerlet
                                         : roller_chain::Integrator::kSemiImplicitEuler,
          step_s};
}

// Models for microcontrollers have one way to step.
void check_step_a_tick(const RunOptions& options, const char* integrator) {
  const auto refuse_option = [&](const std::string& given, const std::string& why) {
    refuse(given + ": the " + options.model + " model " + why +
           "; leave it out, or --model roller");
  };
  if (options.step_us) {
    refuse_option("--step-us " + general(*options.step_us), "makes steps of 500 us");
  }
  if (!options.integrator.empty() && options.integrator != integrator) {
    refuse_option("--integrator " + options.integrator, "has its own");
  }
  if (!options.precision.empty() && options.precision != kOnlyPrecision) {
    refuse_option("--precision " + options.precision, "runs in float");
  }
  if (options.start_phase != 0 && options.model == kReducedModel) {
    refuse_option("--start-phase " + general(options.start_phase), "starts at phase 0");
  }
}

void set_method(const RunOptions& options, RunRequest& request) {
  request.model = options.model;
  if (!options.block.empty() && !request.is_reduced()) {
    refuse("--block " + options.block + ": is of the reduced model; add --model reduced");
  }
  if (request.is_reduced() || request.is_implicit()) {
    request.integrator = request.is_reduced() ? kReducedIntegrator : kImplicitIntegrator;
    check_step_a_tick(options, request.integrator.c_str());
    request.precision = kOnlyPrecision;
    request.step = {roller_chain::Integrator::kSemiImplicitEuler, roller_chain::kTick_s};
    request.block = options.block;
    return;
  }
  request.integrator = options.integrator.empty() ? "euler" : options.integrator;
  request.precision = options.precision.empty() ? "double" : options.precision;
  request.step = step_of(options, request.spec);
}

std::uint64_t whole_steps(double time_s, double step_s) {
  return static_cast<std::uint64_t>(std::llround(time_s / step_s));
}

void set_times(const RunOptions& options, RunRequest& request) {
  const double step_s = request.step.step_s;
  request.steps = whole_steps(options.duration_s, step_s);
  constexpr double kRoundOff = 1e-9;
  if (options.duration_s < (1 - kRoundOff) * step_s) {
    refuse("--duration-s " + general(options.duration_s) + ": is shorter than one step, " +
           general(step_s) + " s");
  }
  request.window_begin =
      options.stats_from_s ? whole_steps(*options.stats_from_s, step_s) : request.steps / 2;
  if (request.window_begin >= request.steps) {
    refuse("--stats-from-s " + general(*options.stats_from_s) +
           ": leaves nothing of the run for statistics; allowed 0 to below " +
           general(options.duration_s) + " s (--duration-s)");
  }
  if (request.samples() > kMostSamples) {
    const std::uint64_t most_steps = kMostSamples / (request.spec.sprockets.size() + 1);
    const double from_s = request.time_s(request.steps - most_steps);
    refuse("--stats-from-s " + general(request.time_s(request.window_begin)) +
           ": more samples than memory is planned for; allowed " + general(from_s) + " to below " +
           general(options.duration_s) + " s, or a shorter --duration-s");
  }
  request.out_every = std::max<std::uint64_t>(1, whole_steps(options.out_interval_s, step_s));
}

std::size_t tag_of(const char* option, int number, int links) {
  if (number < 1 || number > links) {
    refuse(std::string(option) + " " + std::to_string(number) + ": allowed 1 to " +
           std::to_string(links) + ", as many as the chain has");
  }
  return static_cast<std::size_t>(number) - 1;
}

}  // namespace

double to_rad_s(double speed_rpm) {
  return speed_rpm / 60 * math::kTwoPi<double>;
}

double to_rpm(double speed_rad_s) {
  return speed_rad_s * 60 / math::kTwoPi<double>;
}

RunRequest make_run_request(const RunOptions& options, AccelerationFiles& files) {
  check_together(options);
  RunRequest request;
  request.spec = spec_of(options);
  request.tooth_phase = options.start_phase;
  request.crank = crank_of(options, request.spec, files);
  set_method(options, request);
  request.tags = {tag_of("--tag-link", options.tag_link, request.spec.chain.links),
                  tag_of("--tag-roller", options.tag_roller, request.spec.chain.links)};
  request.out = options.out;
  set_times(options, request);
  return request;
}

void halve_step(RunRequest& request) {
  request.step.step_s /= 2;
  request.steps *= 2;
  request.window_begin *= 2;
  request.out_every *= 2;
  if (request.record_begin != RunRequest::kNoRecord) {
    request.record_begin *= 2;
  }
}

}  // namespace taut::tool
