#include <atomic>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host_tools/live/session.h"
#include "host_tools/rig/rig_error.h"
#include "host_tools/taut/commands.h"
#include "host_tools/taut/output_file.h"
#include "host_tools/taut/problem.h"
#include "host_tools/taut/rig_options.h"
#include "host_tools/taut/run_options.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/twin_plot.h"
#include "host_tools/taut/twin_run.h"

namespace taut::tool {
namespace {

constexpr const char* kPc = "pc";

struct LiveCommand {
  RigOptions rig;
  live::SessionSpec session;
  live::ServerSpec server{.host = "127.0.0.1", .port = 8642};
  std::string target = kPc;
  std::string image;
  std::string folder;
};

struct EmulatedBoard {
  const char* name;
  const char* core;
  const char* machine;
};
constexpr EmulatedBoard kBoards[] = {{"m4", "Cortex-M4F", "mps2-an386"},
                                     {"m7", "Cortex-M7", "mps2-an500"}};

// Without an end there is no end of traces either.
constexpr std::size_t kKeptTicks = 120'000;

std::atomic<bool> stop_live{false};  // set by a signal
static_assert(std::atomic<bool>::is_always_lock_free);

void stop_on_signals() {
  for (const int number : {SIGINT, SIGTERM}) {
    std::signal(number, [](int /*number*/) { stop_live = true; });
  }
}

std::string in_folder(const LiveCommand& command, const std::string& name) {
  return (std::filesystem::path(command.folder) / name).string();
}

void make_folder(const LiveCommand& command) {
  std::error_code error;
  std::filesystem::create_directories(command.folder, error);
  if (error) {
    throw Failure(ExitCode::kWrongUse, command.folder + ": cannot be made: " + error.message());
  }
}

std::vector<std::string> target_names() {
  std::vector<std::string> names{kPc};
  for (const EmulatedBoard& board : kBoards) {
    names.emplace_back(board.name);
  }
  return names;
}

live::BoardSpec board_for(const LiveCommand& command) {
  for (const EmulatedBoard& board : kBoards) {
    if (command.target == board.name) {
      if (command.image.empty()) {
        throw Failure(ExitCode::kWrongUse,
                      "--target " + command.target +
                          ": give the firmware that it runs; make firmware builds --image build/" +
                          command.target + "/boards/taut_firmware");
      }
      return {board.core, board.machine, command.image};
    }
  }
  return {};
}

void tell(const LiveCommand& command, live::Session& session, double serving_s) {
  TwinRequest request;
  request.rig = command.session.target.rig;
  request.model = session.target().model();
  const TwinReport report = session.finish();
  const double load = (session.encoding_s() + serving_s) / session.wall_s();
  std::string text = to_text(request, report);
  if (const std::string words = session.target().last_words(); !words.empty()) {
    text += "  " + words + "\n";
  }
  text += "  at the pace of the clock but for " + fixed(session.lag_s(), 2) +
          " s; serving and encoding took " + fixed(100 * load, 1) + " % of a core\n";
  std::cout << text;
  if (command.folder.empty()) {
    return;
  }
  const std::string title =
      std::string(request.rig.drive.name.c_str()) + ", " + request.model + " twin against the rig";
  write_file(in_folder(command, "summary.txt"), text);
  write_file(in_folder(command, "summary.json"), to_json(request, report).dump(2) + "\n");
  write_file(in_folder(command, "traces.svg"), plot_twin(title, session.target().traces()));
  std::cout << "  written: summary.txt, summary.json, traces.svg and run.tautlog in "
            << command.folder << "\n";
}

void run_live_command(LiveCommand& command) {
  live::SessionSpec& spec = command.session;
  spec.target.rig = make_rig_spec(command.rig);
  spec.target.board = board_for(command);
  spec.target.kept_ticks = spec.duration_s > 0 ? kAllTicks : kKeptTicks;
  if (!command.folder.empty()) {
    make_folder(command);
    spec.target.files.log = in_folder(command, "run.tautlog");
  }
  stop_on_signals();
  live::Hub hub;
  live::Session session(spec, hub);
  double serving_s = 0;
  {
    const live::Server server(
        command.server, hub,
        {[&] { return session.describe(); }, [&] { return session.backdrop(); },
         [&](const std::string& json) { return session.command(json); }});
    std::cout << "live page: " << server.address() << "\n"
              << (spec.duration_s > 0 ? "  for " + general(spec.duration_s) + " s of the engine"
                                      : std::string("  until Ctrl-C"))
              << std::endl;
    session.run(stop_live);
    serving_s = server.busy_s();
  }
  if (session.has_run()) {
    tell(command, session, serving_s);
  }
}

}  // namespace

void add_live_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "live", "a twin against the virtual bench at the pace of the clock, on a page to watch");
  auto options = std::make_shared<LiveCommand>();
  options->session.target.model = kReducedModel;
  add_drive_option(*command, options->rig.rest.drive);
  add_rig_options(*command, options->rig);
  command
      ->add_option("--model", options->session.target.model,
                   "the twin's chain to begin with: reduced, implicit or roller (default reduced)")
      ->check(CLI::IsMember(chain_names()));
  command
      ->add_option("--block", options->session.target.block,
                   "reduced: run from this file of taut reduce, not from a new reduction")
      ->type_name("FILE");
  command
      ->add_option("--target", options->target,
                   "what runs the reduced twin: pc, or its firmware on an emulated board, m4 or m7 "
                   "(default pc)")
      ->check(CLI::IsMember(target_names()));
  command->add_option("--image", options->image, "m4 and m7: the board's firmware")
      ->type_name("FILE");
  command
      ->add_option("--duration-s", options->session.duration_s,
                   "ends after so much of the engine's time (default: until Ctrl-C)")
      ->check(between(signal::kTick_s, 1e5, "s"));
  command
      ->add_option("--port", options->server.port,
                   "of the page; 0: any that is free (default 8642)")
      ->check(whole_between(0, 65535));
  command
      ->add_option("--host", options->server.host,
                   "address of this machine to serve the page at; any but the default lets others "
                   "watch, and steer if they have the whole address (default 127.0.0.1)")
      ->type_name("ADDRESS");
  command
      ->add_option("--out", options->folder,
                   "at its end, write summary, traces and log into this folder")
      ->type_name("FOLDER");
  command->footer(
      "Examples:\n"
      "  taut live 6s90mc-c\n"
      "  taut live 6s90mc-c --start rest --duration-s 60 --out out/demo\n"
      "  taut live 6s90mc-c --target m7 --image build/m7/boards/taut_firmware\n"
      "  taut live my_drive.toml --model roller --port 0");
  command->callback([options] {
    try {
      run_live_command(*options);
    } catch (const rig::RigError& error) {
      throw Failure(ExitCode::kNoSolution, error.what());
    }
  });
}

}  // namespace taut::tool
