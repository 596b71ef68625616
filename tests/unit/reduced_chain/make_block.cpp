// Prints block_6s90mc_c.inc (block.h).
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "sim_core/reduced_chain/reduce.h"
#include "tests/unit/drive/engines.h"

int main() {
  using namespace taut;
  drive::DriveModel drive;
  const auto model = std::make_unique<reduced_chain::ReducedModel>();
  if (!drive::make_drive_model(drive_test::engine_6s90mc_c(), drive) ||
      !reduced_chain::reduce(drive, *model).made) {
    return 1;
  }
  std::vector<std::uint32_t> words(sizeof(*model) / sizeof(std::uint32_t));
  std::memcpy(words.data(), model.get(), sizeof(*model));
  std::printf("// Made by make_reduced_test_block: do not edit.\n// clang-format off\n");
  for (std::size_t i = 0; i < words.size();) {
    std::size_t zeros = 0;
    while (i + zeros < words.size() && words[i + zeros] == 0) {
      ++zeros;
    }
    i += zeros;
    std::size_t count = 0;
    while (i + count < words.size() && words[i + count] != 0) {
      ++count;
    }
    std::printf("%zu,%zu,", zeros, count);
    for (std::size_t k = 0; k < count; ++k) {
      std::printf("%s0x%x,", k % 10 == 0 ? "\n" : "", static_cast<unsigned>(words[i + k]));
    }
    std::printf("\n");
    i += count;
  }
  return 0;
}
