#include "host_tools/taut/reduction.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include "host_tools/taut/problem.h"
#include "host_tools/taut/resting_drive.h"
#include "host_tools/taut/text.h"
#include "host_tools/taut/validity.h"
#include "sim_core/drive/drive_model.h"
#include "sim_core/drive/spec_hash.h"
#include "sim_core/reduced_chain/reduce.h"

namespace taut::tool {
namespace {

constexpr double kMostRestError = 0.05;  // of the largest strand tension

void check_rest(const std::string& name, const RestComparison& rest) {
  double largest_N = 0;
  for (const Pair& strand_N : rest.strands_N) {
    largest_N = std::max(largest_N, strand_N.full);
  }
  for (std::size_t s = 0; s < rest.strands_N.size(); ++s) {
    const Pair& strand_N = rest.strands_N[s];
    if (!(std::abs(strand_N.fast - strand_N.full) <= kMostRestError * largest_N)) {
      throw Failure(ExitCode::kNoSolution,
                    name + ": cannot be reduced: at rest strand " + std::to_string(s + 1) +
                        " would bear " + rough(strand_N.fast) + " N, by the full model " +
                        rough(strand_N.full) + " N; allowed is " + rough(100 * kMostRestError) +
                        " % of the largest, " + rough(largest_N) + " N");
    }
  }
}

}  // namespace

std::shared_ptr<const Reduction> reduce_drive(const drive::DriveSpec& spec) {
  const auto drive = std::make_unique<drive::DriveModel>();
  if (!make_drive_model(spec, *drive)) {  // validate() has seen to it
    throw Failure(ExitCode::kWrongDrive, std::string(spec.name.c_str()) + ": has no geometry");
  }
  auto reduction = std::make_shared<Reduction>();
  const reduced_chain::ReduceReport report = reduced_chain::reduce(*drive, reduction->block.model);
  const auto require = [&](bool good, const std::string& why) {
    if (!good) {
      throw Failure(ExitCode::kNoSolution,
                    std::string(spec.name.c_str()) + ": cannot be reduced: " + why);
    }
  };
  require(report.made, report.problem);
  const RestingDrive resting = rest_drive(spec);
  const std::string why = outside_validity(resting, reduction->block.model);
  require(why.empty(), why);
  reduction->rest = compare_at_rest(resting, reduction->block.model);
  check_rest(spec.name.c_str(), reduction->rest);
  reduction->warnings = report.warnings;
  for (const std::string& warning : near_validity(resting, reduction->block.model)) {
    reduction->warnings.push_back(warning);
  }
  seal(drive::hash_of(spec), reduction->block);
  return reduction;
}

std::shared_ptr<const Reduction> read_reduction(const std::string& path,
                                                const drive::DriveSpec& spec) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    throw Failure(ExitCode::kWrongUse, path + ": cannot be read; write it with taut reduce");
  }
  // A vector of char may begin anywhere.
  std::vector<std::uint64_t> aligned(bytes.size() / sizeof(std::uint64_t) + 1);
  std::copy_n(bytes.data(), bytes.size(), reinterpret_cast<char*>(aligned.data()));
  const reduced_chain::BlockRead read = reduced_chain::read_block(
      {reinterpret_cast<const std::byte*>(aligned.data()), bytes.size()}, drive::hash_of(spec));
  if (read.model == nullptr) {
    throw Failure(ExitCode::kWrongUse, path + ": " + reason(read.status));
  }
  auto reduction = std::make_shared<Reduction>();
  std::memcpy(&reduction->block, aligned.data(), sizeof reduction->block);
  return reduction;
}

}  // namespace taut::tool
