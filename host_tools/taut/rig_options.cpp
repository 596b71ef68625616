#include "host_tools/taut/rig_options.h"

#include <limits>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/rig_files.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/run_request.h"
#include "host_tools/taut/text.h"

namespace taut::tool {
namespace {

constexpr double kDefaultRigRunUp_s = 5;  // in which the engine's torque suffices

[[noreturn]] void refuse_rig(const std::string& text) {
  throw Failure(ExitCode::kWrongUse, text);
}

void check_rig_options(const RigOptions& options) {
  if (options.order.has_value() != options.accel_amplitude_rad_s2.has_value()) {
    refuse_rig("--order and --accel-amplitude prescribe a motion together; give both or none");
  }
  if (options.order && (!options.torque_orders.empty() || options.torque_factor != 1)) {
    refuse_rig(
        "--order: a prescribed motion knows no torques; leave --torque-orders and "
        "--torque-factor out");
  }
  if (options.run_up_s && options.start != "rest") {
    refuse_rig("--run-up-s " + general(*options.run_up_s) +
               ": there is no run-up at --start speed; add --start rest");
  }
}

void set_motion(const RigOptions& options, rig::RigSpec& spec) {
  rig::EngineSpec& engine = spec.engine;
  const double nominal_rpm = spec.drive.crank.speed_rpm;
  const double speed_rpm = options.speed_rpm.value_or(nominal_rpm);
  const double most_rpm = rig::kMostOverspeed * nominal_rpm;
  if (!options.order && speed_rpm > most_rpm) {
    refuse_rig("--speed-rpm " + general(speed_rpm) + ": allowed up to " + general(most_rpm) +
               " rpm, what the engine's governor can hold; set crank.speed_rpm for another "
               "engine, or prescribe the motion (--order)");
  }
  engine.set_speed_rad_s = to_rad_s(speed_rpm);
  engine.run_up_s = options.start == "rest" ? options.run_up_s.value_or(kDefaultRigRunUp_s) : 0;
  engine.order_factor = options.torque_factor;
  if (!options.torque_orders.empty()) {
    engine.orders = read_torque_orders(options.torque_orders);
  }
  if (options.order) {
    spec.prescribed = {*options.order, *options.accel_amplitude_rad_s2};
  }
}

}  // namespace

void add_rig_options(CLI::App& command, RigOptions& options) {
  add_rest_settings(command, options.rest);
  command.option_defaults()->group(kRigGroup);
  command
      .add_option("--speed-rpm", options.speed_rpm,
                  "speed that the governor holds (default: the drive's)")
      ->check(between(0.01, 20000, "rpm"));
  command
      .add_option("--start", options.start,
                  "speed: all moves from the first step on; rest: the engine runs up from "
                  "standstill (default speed)")
      ->check(CLI::IsMember({"speed", "rest"}));
  command.add_option("--run-up-s", options.run_up_s, "how long it runs up (default 5)")
      ->check(between(1e-3, 1e5, "s"));
  command
      .add_option("--torque-factor", options.torque_factor,
                  "of the engine's torque orders; 1 gives 6s90mc-c about 7 rad/s^2 of order 6 "
                  "at 76 rpm (default 1)")
      ->type_name("FACTOR")
      ->check(between(0, rig::kMostOrderFactor, ""));
  command
      .add_option("--torque-orders", options.torque_orders,
                  "TOML: [[order]] sections with order, amplitude_N_m at rated torque, phase_rad; "
                  "in place of the engine's own")
      ->type_name("FILE");
  command
      .add_option("--order", options.order,
                  "no engine: the crank's acceleration is A sin(K angle), as taut run has it")
      ->type_name("K")
      ->check(whole_between(1, 1000));
  command.add_option("--accel-amplitude", options.accel_amplitude_rad_s2, "its A, in rad/s^2")
      ->type_name("A")
      ->check(between(0, 1e5, "rad/s^2"));
  command
      .add_option("--seed", options.seed,
                  "of all that is drawn: the drive's own parameters, errors and noise of sensors "
                  "(default 1)")
      ->type_name("N")
      ->check(whole_between(0, std::numeric_limits<int>::max()));
  command.add_flag("--ideal", options.ideal,
                   "for debugging: the drive exactly as described, sensors without any error");
  command
      .add_option("--faults", options.faults,
                  "TOML: [[fault]] sections with sensor, kind, size, at_s, until_s, and [[damage]] "
                  "sections with kind, number, size, at_s, until_s")
      ->type_name("FILE");
  command
      .add_option("--tag-link", options.tag_link,
                  "number of the link with the strain gauge (default 1)")
      ->type_name("N");
  command.option_defaults()->group("Options");
}

rig::RigSpec make_rig_spec(const RigOptions& options) {
  check_rig_options(options);
  const drive::DriveSpec drive = load_spec(options.rest);
  if (!(drive.crank.speed_rpm > 0)) {
    throw Failure(ExitCode::kWrongDrive,
                  std::string(drive.name.c_str()) +
                      ": crank.speed_rpm = " + general(drive.crank.speed_rpm) +
                      ": the engine is made for this speed; set it above 0 (--set)");
  }
  rig::RigSpec spec = rig::rig_for(drive);
  set_motion(options, spec);
  if (options.ideal) {
    spec.spread = rig::kNoSpread;
    spec.sensors = rig::ideal(spec.sensors);
  }
  if (!options.faults.empty()) {
    RigSchedule schedule = read_rig_schedule(options.faults, drive);
    spec.faults = std::move(schedule.faults);
    spec.damages = std::move(schedule.damages);
  }
  if (options.tag_link < 1 || options.tag_link > drive.chain.links) {
    refuse_rig("--tag-link " + std::to_string(options.tag_link) + ": allowed 1 to " +
               std::to_string(drive.chain.links) + ", as many as the chain has");
  }
  spec.tags.link = static_cast<std::size_t>(options.tag_link) - 1;
  spec.seed = options.seed;
  return spec;
}

}  // namespace taut::tool
