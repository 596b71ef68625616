#include "tests/system/emulated_board.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "sim_core/assert.h"

namespace taut::system_test {
namespace {

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
    // One instruction = 64 ns of board time, so that the board counts its own.
    words.push_back("enable=on,target=native,arg=taut,arg=" + pipes);
    words.insert(words.end(), {"-icount", "shift=6,align=off,sleep=off"});
  } else {
    words.push_back("enable=on,target=native,arg=taut");
    words.insert(words.end(),
                 {"-chardev", "pipe,id=line,path=" + pipes, "-serial", "chardev:line"});
  }
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  process_ = checked(fork(), "fork");
  if (process_ == 0) {
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
}

std::string EmulatedBoard::end() {
  close(to_);
  to_ = -1;
  if (line_ == Line::kUart) {
    kill(process_, SIGTERM);
  }
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  std::ostringstream text;
  text << std::ifstream(folder_.file("console")).rdbuf();
  if (line_ == Line::kPipes && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
    throw std::runtime_error("the board ended with status " + std::to_string(status) + ":\n" +
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

int judged(const std::string& image, const std::function<int()>& test) {
  constexpr int kSkipped = 77;  // for ctest
  if (!std::filesystem::exists(image)) {
    std::cout << "skipped: " << image << " is not built\n";
    return kSkipped;
  }
  try {
    return test();
  } catch (const std::exception& error) {
    std::cout << "FAILED: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace taut::system_test

void taut::on_assert_failure(const AssertFailure& failure) {
  std::cout << failure.file << ":" << failure.line << ": assertion failed, value " << failure.value
            << ": " << failure.expression << std::endl;
  std::abort();
}
