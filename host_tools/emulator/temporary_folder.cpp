#include "host_tools/emulator/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace taut::emulator {

TemporaryFolder::TemporaryFolder()
    : path_(std::filesystem::temp_directory_path() / "taut_board_XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr) {
    throw std::runtime_error(path_ + ": " + std::strerror(errno));
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace taut::emulator
