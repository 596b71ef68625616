#include "host_tools/taut/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "host_tools/taut/problem.h"

namespace taut::tool {
namespace fs = std::filesystem;

void write_file(const std::string& path, const std::string& contents) {
  const std::string draft = path + ".part" + std::to_string(getpid());
  std::error_code error;
  const auto fail = [&](const std::string& why) {
    std::error_code ignored;
    fs::remove(draft, ignored);
    throw Failure(ExitCode::kWrongUse,
                  path + ": cannot be written: " + why + "; choose another path");
  };
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {  // a device must not be renamed over
    fail(fs::is_directory(status) ? "it is a folder" : "it is not an ordinary file");
  }
  errno = 0;
  std::ofstream stream(draft, std::ios::binary);
  stream << contents;
  stream.close();
  if (!stream) {
    fail(errno == 0 ? "the disk did not take it" : std::strerror(errno));
  }
  fs::rename(draft, path, error);
  if (error) {
    fail(error.message());
  }
}

}  // namespace taut::tool
