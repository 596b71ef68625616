#include <etl/string.h>
#include <valgrind/callgrind.h>

#include "board.h"

namespace taut::board {
namespace {
etl::string<64> current_name;
}

void InstructionCounter::start(etl::string_view name) {
  current_name.assign(name.begin(), name.end());
  CALLGRIND_ZERO_STATS;
  CALLGRIND_TOGGLE_COLLECT;
}

std::uint32_t InstructionCounter::stop() {
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT(current_name.c_str());
  return 0;
}

}  // namespace taut::board
