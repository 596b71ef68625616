// taut: one program, one subcommand a file (commands.h). Failures become exit codes here.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "host_tools/taut/command_rt.h"
#include "host_tools/taut/commands.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/raw_drive.h"
#include "sim_core/assert.h"

namespace taut {

// The programmer is wrong: say where, and stop.
void on_assert_failure(const AssertFailure& failure) {
  std::fprintf(stderr, "taut: %s:%d: assertion failed: %s (value %g); please report this\n",
               failure.file, static_cast<int>(failure.line), failure.expression, failure.value);
  std::abort();
}

}  // namespace taut

namespace {

using taut::tool::ExitCode;

int code(ExitCode exit_code) {
  return static_cast<int>(exit_code);
}

// Whether an unknown command was the trouble; a slip of the pen deserves the name that was meant.
bool suggest_command(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  if (argc < 2 || argv[1][0] == '-' ||
      std::find(names.begin(), names.end(), argv[1]) != names.end()) {
    return false;
  }
  std::cerr << argv[1] << ": no such command; " << taut::tool::suggestion(argv[1], names) << "\n";
  return true;
}

int run(int argc, char** argv) {
  CLI::App app("Taut: a roller-chain drive and its twin.", "taut");
  app.footer(
      "Exit codes:\n"
      "  0  done\n"
      "  1  the drive is wrong: its file, a value (also one of --set) or its geometry\n"
      "  2  the command line is wrong, or a file it names cannot be used\n"
      "  3  no solution was found\n"
      "  4  a check that was asked for has failed\n"
      "\n"
      "Examples:\n"
      "  taut drives\n"
      "  taut check 6s90mc-c --svg 6s90mc-c.svg\n"
      "  taut check my_drive.toml --set chain.links=146\n"
      "  taut run 6s90mc-c --order 6 --accel-amplitude 7\n"
      "  taut sweep 6s90mc-c --over speed-rpm=60:90:2 --order 6 --accel-amplitude 2\n"
      "  taut reduce 6s90mc-c -o 6s90mc-c.tautblock\n"
      "  taut validate 6s90mc-c --plot errors.svg\n"
      "  taut rig 6s90mc-c --csv bench.csv\n"
      "  taut twin 6s90mc-c --log run.tautlog\n"
      "  taut live 6s90mc-c\n"
      "  taut a2l -o taut.a2l\n"
      "  taut bridge /dev/ttyUSB0\n"
      "  taut COMMAND --help");
  app.require_subcommand(1);
  taut::tool::add_check_command(app);
  taut::tool::add_drives_command(app);
  taut::tool::add_keys_command(app);
  taut::tool::add_statics_command(app);
  taut::tool::add_modes_command(app);
  taut::tool::add_retighten_command(app);
  taut::tool::add_reduce_command(app);
  taut::tool::add_flash_command(app);
  taut::tool::add_run_command(app);
  taut::tool::add_sweep_command(app);
  taut::tool::add_validate_command(app);
  taut::tool::add_rig_command(app);
  taut::tool::add_twin_command(app);
  taut::tool::add_live_command(app);
  taut::tool::add_faults_command(app);
  taut::tool::add_rt_command(app);
  taut::tool::add_replay_command(app);
  taut::tool::add_convert_command(app);
  taut::tool::add_a2l_command(app);
  taut::tool::add_bridge_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // help was asked for
      return app.exit(error);
    }
    if (!suggest_command(app, argc, argv)) {
      app.exit(error, std::cout, std::cerr);
    }
    return code(ExitCode::kWrongUse);
  } catch (const taut::tool::Failure& failure) {
    std::cerr << failure.what() << "\n";
    return code(failure.code());
  }
  std::cout.flush();
  if (!std::cout) {
    std::cerr << "taut: the output could not be written\n";
    return code(ExitCode::kWrongUse);
  }
  return code(ExitCode::kOk);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "taut: %s\n", error.what());
    return code(ExitCode::kWrongUse);
  }
}
