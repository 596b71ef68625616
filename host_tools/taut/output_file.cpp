#include "host_tools/taut/output_file.h"

#include <algorithm>
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

// The drafts to remove when a signal ends the program; a handler may touch nothing cleverer.
// No file has an empty name: such a place is free.
using DraftName = std::array<char, 4096>;
std::array<DraftName, 4> drafts_in_work{};

DraftName* place_of(const std::string& draft) {
  const auto found = std::find_if(drafts_in_work.begin(), drafts_in_work.end(),
                                  [&](const DraftName& name) { return name.data() == draft; });
  return found == drafts_in_work.end() ? nullptr : &*found;
}

extern "C" void remove_drafts_and_end(int signal_number) {
  for (const DraftName& draft : drafts_in_work) {
    unlink(draft.data());
  }
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void remove_on_signal(const std::string& draft) {
  DraftName* const place = place_of("");
  if (place == nullptr || draft.size() >= place->size()) {
    return;  // longer than any path that opens, or more files than any command writes
  }
  std::memcpy(place->data(), draft.c_str(), draft.size() + 1);
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal_number, remove_drafts_and_end) == SIG_IGN) {  // as under nohup
      std::signal(signal_number, SIG_IGN);
    }
  }
}

void keep_on_signal(const std::string& draft) {
  if (DraftName* const place = place_of(draft)) {
    place->front() = '\0';
  }
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
    keep_on_signal(draft_);
    fail(why);
  }
}

OutputFile::~OutputFile() {
  if (!draft_.empty()) {
    std::error_code ignored;
    stream_.close();
    fs::remove(draft_, ignored);
    keep_on_signal(draft_);
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
  keep_on_signal(draft_);
  draft_.clear();
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
