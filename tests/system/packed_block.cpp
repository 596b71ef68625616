#include "tests/system/packed_block.h"

#include <fstream>
#include <memory>
#include <stdexcept>

#include "sim_core/drive/spec_hash.h"
#include "sim_core/reduced_chain/block.h"
#include "tests/unit/reduced_chain/block.h"

namespace taut::system_test {

void write_packed_block(const drive::DriveSpec& drive, const std::string& path) {
  const auto reduced = std::make_unique<reduced_chain::Block>();
  if (!reduced_test::unpack(reduced->model)) {
    throw std::runtime_error("the packed block is of another version");
  }
  reduced_chain::seal(drive::hash_of(drive), *reduced);
  std::ofstream file(path, std::ios::binary);
  if (!file.write(reinterpret_cast<const char*>(reduced.get()), sizeof *reduced)) {
    throw std::runtime_error(path + ": cannot be written");
  }
}

}  // namespace taut::system_test
