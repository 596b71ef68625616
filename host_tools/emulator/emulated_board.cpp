#include "host_tools/emulator/emulated_board.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace taut::emulator {
namespace {

// Emulated time of an instruction: 2^6 ns. A count of the board's clock is 40 ns.
constexpr const char* kInstructionLength = "shift=6,align=off,sleep=off";
constexpr double kInstructionsACount = 40.0 / 64;

int checked(int result, const std::string& what) {
  if (result < 0) {
    throw std::runtime_error(what + ": " + std::strerror(errno));
  }
  return result;
}

}  // namespace

EmulatedBoard::EmulatedBoard(const std::string& machine, const std::string& image,
                             const std::string& flash, Line line)
    : line_(line) {
  const std::string pipes = folder_.file("line");
  for (const char* end : {".in", ".out"}) {
    checked(mkfifo((pipes + end).c_str(), 0600), pipes + end);
  }
  // Read and write: opening waits for nobody.
  to_ = checked(open((pipes + ".in").c_str(), O_RDWR | O_CLOEXEC), pipes + ".in");
  from_ = checked(open((pipes + ".out").c_str(), O_RDWR | O_CLOEXEC), pipes + ".out");

  std::vector<std::string> words = {
      "qemu-system-arm",
      "-machine",
      machine + ",memory-backend=flash",
      "-kernel",
      image,
      "-display",
      "none",
      "-monitor",
      "none",
      "-serial",
      "file:" + folder_.file("console"),
      "-object",
      "memory-backend-file,id=flash,size=16M,share=on,mem-path=" + flash,
      "-semihosting-config"};
  if (line == Line::kPipes) {
    // So that the board counts its instructions.
    words.push_back("enable=on,target=native,arg=taut,arg=" + pipes);
    words.insert(words.end(), {"-icount", kInstructionLength});
  } else {
    words.push_back("enable=on,target=native,arg=taut");
    words.insert(words.end(),
                 {"-chardev", "pipe,id=line,path=" + pipes, "-serial", "chardev:line"});
  }
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  process_ = checked(fork(), "fork");
  if (process_ == 0) {
    setpgid(0, 0);  // a Ctrl-C is for us: the board ends when its line does
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
}

bool EmulatedBoard::is_running() {
  if (process_ > 0 && waitpid(process_, &status_, WNOHANG) == process_) {
    process_ = -1;
  }
  return process_ > 0;
}

std::string EmulatedBoard::end() {
  close(to_);
  to_ = -1;
  if (is_running()) {
    if (line_ == Line::kUart) {
      kill(process_, SIGTERM);
    }
    waitpid(process_, &status_, 0);
    process_ = -1;
  }
  std::ostringstream text;
  text << std::ifstream(folder_.file("console")).rdbuf();
  if (line_ == Line::kPipes && (!WIFEXITED(status_) || WEXITSTATUS(status_) != 0)) {
    throw std::runtime_error("the board ended with status " + std::to_string(status_) + ":\n" +
                             text.str());
  }
  return text.str();
}

EmulatedBoard::~EmulatedBoard() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  for (const int end : {from_, to_}) {
    if (end >= 0) {
      close(end);
    }
  }
}

std::optional<TicksTold> ticks_told(const std::string& console) {
  const auto last = [&console](const std::string& label) -> std::optional<double> {
    const std::size_t at = console.rfind(label);
    return at == std::string::npos
               ? std::nullopt
               : std::optional(std::strtod(console.c_str() + at + label.size(), nullptr));
  };
  const std::optional<double> worst = last("clock counts of the worst tick ");
  const std::optional<double> overruns = last("overruns ");
  if (!worst || !overruns) {
    return std::nullopt;
  }
  return TicksTold{kInstructionsACount * *worst, static_cast<std::uint64_t>(*overruns)};
}

}  // namespace taut::emulator
