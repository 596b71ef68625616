// Files of the twin that system tests run: 6S90MC-C's reduced chain as packed with the unit tests
// (one of them holds it to what reduce() makes), for --block. Throws a std::runtime_error.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "sim_core/drive/drive_spec.h"
#include "sim_core/drive/spec_hash.h"
#include "sim_core/reduced_chain/block.h"
#include "tests/unit/reduced_chain/block.h"

namespace taut::system_test {

// A folder of its own, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "taut_system_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error(pattern + ": cannot be made");
    }
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline void write_packed_block(const drive::DriveSpec& drive, const std::string& path) {
  const auto reduced = std::make_unique<reduced_chain::Block>();
  if (!reduced_test::unpack(reduced->model)) {
    throw std::runtime_error("the packed block is of another version");
  }
  reduced_chain::seal(drive::hash_of(drive), *reduced);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(reduced.get()), sizeof *reduced);
}

}  // namespace taut::system_test
