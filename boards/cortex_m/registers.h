// The few core registers that boot, faults and the instruction counter touch.
// Source: Armv7-M Architecture Reference Manual, B3.2 (system control space).
// Not a device header: peripherals live with their drivers.
#pragma once

#include <cstdint>

namespace taut::cortex_m {

inline volatile std::uint32_t& reg32(std::uintptr_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);  // NOLINT(performance-no-int-to-ptr)
}

inline constexpr std::uintptr_t kSysTickControl = 0xE000E010;
inline constexpr std::uintptr_t kSysTickReload = 0xE000E014;
inline constexpr std::uintptr_t kSysTickCurrent = 0xE000E018;
inline constexpr std::uintptr_t kVectorTable = 0xE000ED08;
inline constexpr std::uintptr_t kConfigurationControl = 0xE000ED14;
inline constexpr std::uintptr_t kHandlerControl = 0xE000ED24;
inline constexpr std::uintptr_t kConfigurableFaultStatus = 0xE000ED28;
inline constexpr std::uintptr_t kHardFaultStatus = 0xE000ED2C;
inline constexpr std::uintptr_t kFaultAddress = 0xE000ED38;
inline constexpr std::uintptr_t kCoprocessorAccess = 0xE000ED88;
inline constexpr std::uintptr_t kMpuControl = 0xE000ED94;
inline constexpr std::uintptr_t kMpuRegionNumber = 0xE000ED98;
inline constexpr std::uintptr_t kMpuRegionBase = 0xE000ED9C;
inline constexpr std::uintptr_t kMpuRegionAttributes = 0xE000EDA0;
inline constexpr std::uintptr_t kFloatDefaultStatus = 0xE000EF3C;  // FPDSCR

}  // namespace taut::cortex_m
