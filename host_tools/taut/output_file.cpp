#include "host_tools/taut/output_file.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <unistd.h>

#include "host_tools/taut/problem.h"

namespace taut::tool {
namespace fs = std::filesystem;
namespace {

// The draft to remove when a signal ends the program; a handler may touch nothing cleverer.
std::array<char, 4096> draft_in_work{};

extern "C" void remove_draft_and_end(int signal_number) {
  unlink(draft_in_work.data());
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void remove_on_signal(const std::string& draft) {
  if (draft.size() >= draft_in_work.size()) {
    return;  // longer than any path that opens
  }
  std::memcpy(draft_in_work.data(), draft.c_str(), draft.size() + 1);
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal_number, remove_draft_and_end) == SIG_IGN) {  // as under nohup
      std::signal(signal_number, SIG_IGN);
    }
  }
}

void keep_on_signal() {
  draft_in_work[0] = '\0';  // no file has this name
}

std::string reason() {
  return errno == 0 ? "the disk did not take it" : std::strerror(errno);
}

}  // namespace

OutputFile::OutputFile(const std::string& path)
    : path_(path), draft_(path + ".part" + std::to_string(getpid())) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {  // a device must not be renamed over
    fail(fs::is_directory(status) ? "it is a folder" : "it is not an ordinary file");
  }
  errno = 0;
  remove_on_signal(draft_);
  stream_.open(draft_, std::ios::binary);
  if (!stream_) {
    const std::string why = reason();
    keep_on_signal();
    fail(why);
  }
}

OutputFile::~OutputFile() {
  if (!draft_.empty()) {
    std::error_code ignored;
    stream_.close();
    fs::remove(draft_, ignored);
    keep_on_signal();
  }
}

void OutputFile::write(std::string_view text) {
  errno = 0;
  stream_ << text;
  if (!stream_) {
    fail(reason());
  }
}

void OutputFile::commit() {
  errno = 0;
  stream_.close();
  if (!stream_) {
    fail(reason());
  }
  std::error_code error;
  fs::rename(draft_, path_, error);
  if (error) {
    fail(error.message());
  }
  draft_.clear();
  keep_on_signal();
}

void OutputFile::fail(const std::string& why) const {
  throw Failure(ExitCode::kWrongUse,
                path_ + ": cannot be written: " + why + "; choose another path");
}

void write_file(const std::string& path, const std::string& contents) {
  OutputFile file(path);
  file.write(contents);
  file.commit();
}

}  // namespace taut::tool
