#include "boards/cortex_m/instruction_counter.h"

#include "boards/cortex_m/registers.h"
#include "sim_core/assert.h"

namespace taut::cortex_m {
namespace {
constexpr std::uint32_t kFullScale = 0xFFFFFF;  // 24 bits, counting down
constexpr std::uint32_t kEnableOnCoreClock = 0b101;
constexpr std::uint32_t kPassedZero = 1U << 16U;
constexpr std::uint32_t kTick_ns = 40;
constexpr std::uint32_t kInstruction_ns = 64;
}  // namespace

void InstructionCounter::start(etl::string_view /*name*/) {
  reg32(kSysTickControl) = 0;
  reg32(kSysTickReload) = kFullScale;
  reg32(kSysTickCurrent) = 0;  // any write clears the count and its flag
  reg32(kSysTickControl) = kEnableOnCoreClock;
}

std::uint32_t InstructionCounter::stop() {
  const std::uint32_t current = reg32(kSysTickCurrent);
  const std::uint32_t control = reg32(kSysTickControl);
  reg32(kSysTickControl) = 0;
  TAUT_ASSERT((control & kPassedZero) == 0, current);
  return (kFullScale - current) * kTick_ns / kInstruction_ns;
}

}  // namespace taut::cortex_m
