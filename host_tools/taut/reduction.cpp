#include "host_tools/taut/reduction.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include "host_tools/taut/problem.h"
#include "sim_core/drive/drive_model.h"
#include "sim_core/drive/spec_hash.h"
#include "sim_core/reduced_chain/reduce.h"

namespace taut::tool {

std::unique_ptr<const Reduction> reduce_drive(const drive::DriveSpec& spec) {
  const auto drive = std::make_unique<drive::DriveModel>();
  if (!make_drive_model(spec, *drive)) {  // validate() has seen to it
    throw Failure(ExitCode::kWrongDrive, std::string(spec.name.c_str()) + ": has no geometry");
  }
  auto reduction = std::make_unique<Reduction>();
  const reduced_chain::ReduceReport report = reduced_chain::reduce(*drive, reduction->block.model);
  if (!report.made) {
    throw Failure(ExitCode::kNoSolution,
                  std::string(spec.name.c_str()) + ": cannot be reduced: " + report.problem);
  }
  reduction->warnings = report.warnings;
  seal(drive::hash_of(spec), reduction->block);
  return reduction;
}

std::unique_ptr<const Reduction> read_reduction(const std::string& path,
                                                const drive::DriveSpec& spec) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    throw Failure(ExitCode::kWrongUse, path + ": cannot be read; write it with taut reduce");
  }
  // A vector of char may begin anywhere.
  std::vector<std::uint64_t> aligned(bytes.size() / sizeof(std::uint64_t) + 1);
  std::memcpy(aligned.data(), bytes.data(), bytes.size());
  const reduced_chain::BlockRead read = reduced_chain::read_block(
      {reinterpret_cast<const std::byte*>(aligned.data()), bytes.size()}, drive::hash_of(spec));
  if (read.model == nullptr) {
    throw Failure(ExitCode::kWrongUse, path + ": " + reason(read.status));
  }
  auto reduction = std::make_unique<Reduction>();
  std::memcpy(&reduction->block, aligned.data(), sizeof reduction->block);
  return reduction;
}

}  // namespace taut::tool
